import { z } from 'zod';
import { addDays, isIsoDate } from '../../core/dates/iso-date.ts';
import { namedZone, toInstant } from '../../core/dates/zone.ts';
import { CodedError } from '../../core/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { pageOf, type RunSearch, readCursor, toCursor } from '../answers/paging.ts';
import type { RunPageView } from '../views/sync.ts';

const position = z.object({ run: z.string(), startedAt: z.int() });

/** Returns a page of the runs of one sync or of all syncs, the newest first. */
export async function runPageOf(search: RunSearch, timezone: string, { runs }: Ledger): Promise<RunPageView> {
  const { sync, day, statuses, changed } = search;
  const began = day === undefined ? undefined : timeOfDay(day, timezone);
  const { rows, ...next } = await pageOf(
    search,
    (after, limit) =>
      runs.newest({
        sync,
        statuses,
        changed,
        began,
        before: after === undefined ? undefined : readCursor(after, position),
        limit,
      }),
    ({ run, startedAt }) => toCursor({ run, startedAt: Date.parse(startedAt) }),
  );
  return { runs: rows, ...next };
}

/**
 * Returns the time of a day in a zone, in ms since 1970; the end is exclusive.
 * @throws CodedError FF_USAGE for a text that is not a day
 */
export function timeOfDay(day: string, timezone: string): { from: number; to: number } {
  if (!isIsoDate(day)) throw new CodedError('FF_USAGE', `"${day}" is not a day, such as 2027-03-01.`);
  const midnight = (date: string) => toInstant(Date.parse(`${date}T00:00:00Z`), namedZone(timezone));
  return { from: midnight(day), to: midnight(addDays(day, 1)) };
}
