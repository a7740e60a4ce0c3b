import { setImmediate } from 'node:timers/promises';
import { errorTable } from '../../core/errors.ts';
import { maskedIn } from '../../core/text/masked.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { searchedName } from '../../sync/explain/find-records.ts';
import { lastReadings } from '../syncs/rejects.ts';
import type { RecordPageView } from '../views/sync.ts';

type Waiting = NonNullable<RecordPageView['waiting']>[number];
type Rejected = NonNullable<RecordPageView['rejected']>[number];

interface Search {
  /** Whether a text has the words. */
  fits(text: string): boolean;
  syncs: readonly string[];
  isMasked: boolean;
}

/** What the words of a search may be in, and what is shown of it then. */
interface Candidate<Found> {
  key: string;
  attributes: Readonly<Record<string, unknown>>;
  found: Found;
}

const MOST_SHOWN = 20;
const PAGE = 500;
/** Limit for the time that a search spends on what is not in the table of records. */
const WITHIN_MS = 2_000;

/** Finds records by words that held plans would create. The ledger has them nowhere else. */
export function searchWaiting(search: Search, { plans }: Pick<Ledger, 'plans'>): Promise<Waiting[]> {
  return findIn(search, candidates());

  async function* candidates(): AsyncGenerator<Array<Candidate<Waiting>>> {
    for (const { run, sync, decision } of await plans.heldPlans()) {
      if (decision || !search.syncs.includes(sync)) continue;
      for (let after: string | undefined = ''; after !== undefined; ) {
        const creates = await plans.changePage(run, sync, 'create', after, PAGE);
        yield creates.map(({ key, title, payload }) => {
          return { key, attributes: { ...payload, title }, found: { sync, run, key, title } };
        });
        after = creates.at(-1)?.key;
      }
    }
  }
}

/** Finds rejected records by words. The ledger has them only as rejections of the last run of their sync. */
export function searchRejected(search: Search, { runs }: Pick<Ledger, 'runs'>): Promise<Rejected[]> {
  return findIn(search, candidates());

  async function* candidates(): AsyncGenerator<Array<Candidate<Rejected>>> {
    for (const { run, sync, counts } of await lastReadings(search.syncs, { runs })) {
      if (counts.rejected === 0) continue;
      for await (const { at, key, code, reason, fields = {} } of runs.rejections(run)) {
        const name = searchedName(fields) || (key ?? at);
        const { remedy } = errorTable[code];
        const found = { sync, at, key, name, code, reason, remedy };
        yield [{ key: key ?? '', attributes: fields, found }];
      }
    }
  }
}

async function findIn<Found>(
  { fits, isMasked }: Search,
  pages: AsyncIterable<ReadonlyArray<Candidate<Found>>>,
): Promise<Found[]> {
  const found: Found[] = [];
  const deadline = performance.now() + WITHIN_MS;
  for await (const page of pages) {
    for (const candidate of page) {
      const { key, attributes } = isMasked ? maskedIn(candidate) : candidate;
      if (fits(`${key} ${searchedName(attributes)}`)) found.push(candidate.found);
      if (found.length >= MOST_SHOWN) return found;
    }
    if (performance.now() > deadline) return found;
    await setImmediate();
  }
  return found;
}
