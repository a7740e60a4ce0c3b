import { setImmediate } from 'node:timers/promises';
import { masked } from '../../core/text/masked.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { readWords, searchedName } from '../../sync/explain/find-records.ts';
import type { RecordPageView } from '../views/sync.ts';

type Waiting = NonNullable<RecordPageView['waiting']>;

const MOST_SHOWN = 20;
/** Limit for the time that a search spends on held plans. */
const WITHIN_MS = 2_000;

/** Finds records by words that held plans would create. The ledger has them nowhere else. */
export async function searchWaiting(
  { words, syncs, isMasked }: { words: string; syncs: readonly string[]; isMasked: boolean },
  { plans }: Pick<Ledger, 'plans'>,
): Promise<Waiting> {
  const { fits } = readWords(words);
  const found: Waiting = [];
  const deadline = performance.now() + WITHIN_MS;
  for (const { run, sync, decision } of await plans.heldPlans()) {
    if (decision || !syncs.includes(sync)) continue;
    for await (const changes of plans.changes(run, sync)) {
      // Creates come first.
      if (changes[0]?.op !== 'create') break;
      for (const { key, title, payload } of changes) {
        const text = `${key} ${title} ${searchedName(payload)}`;
        if (fits(isMasked ? masked(text) : text)) found.push({ sync, run, key, title });
        if (found.length >= MOST_SHOWN) return found;
      }
      if (performance.now() > deadline) return found;
      await setImmediate();
    }
  }
  return found;
}
