import { setImmediate } from 'node:timers/promises';
import { errorTable } from '../../core/errors.ts';
import { masked } from '../../core/text/masked.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { readWords, searchedName } from '../../sync/explain/find-records.ts';
import { lastReadings } from '../syncs/rejects.ts';
import type { RecordPageView } from '../views/sync.ts';

type Rejected = NonNullable<RecordPageView['rejected']>;

const MOST_SHOWN = 20;
/** Limit for the time that a search spends on rejected records. */
const WITHIN_MS = 2_000;

/** Finds rejected records by words. The ledger has them only as rejections of the last run of their sync. */
export async function searchRejected(
  { words, syncs, isMasked }: { words: string; syncs: readonly string[]; isMasked: boolean },
  { runs }: Pick<Ledger, 'runs'>,
): Promise<Rejected> {
  const { fits } = readWords(words);
  const found: Rejected = [];
  const deadline = performance.now() + WITHIN_MS;
  for (const { run, sync, counts } of await lastReadings(syncs, { runs })) {
    if (counts.rejected === 0) continue;
    let count = 0;
    for await (const { at, key, code, reason, fields = {} } of runs.rejections(run)) {
      const text = `${key ?? ''} ${searchedName(fields)}`;
      if (fits(isMasked ? masked(text) : text)) {
        const name = searchedName(fields) || (key ?? at);
        const { remedy } = errorTable[code];
        found.push({ sync, at, ...(key !== undefined && { key }), name, code, reason, remedy });
      }
      if (found.length >= MOST_SHOWN || performance.now() > deadline) return found;
      count += 1;
      if (count % 100 === 0) await setImmediate();
    }
  }
  return found;
}
