import { z } from 'zod';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import { readCursor, toCursor } from '../answers/cursor.ts';
import type { Paging } from '../answers/paging.ts';
import type { RunRowView } from '../views/overview.ts';
import type { RunPageView } from '../views/sync.ts';

const position = z.object({ run: z.string(), startedAt: z.int() });

/** Returns a page of the runs of one sync or of all syncs, the newest first. */
export async function runPageOf(
  sync: string | undefined,
  { after, limit }: Paging,
  { runs }: Ledger,
): Promise<RunPageView> {
  const before = after === undefined ? undefined : readCursor(after, position);
  const found = await runs.newest({ sync, before, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    runs: shown.map(toRunRow),
    ...(last && found.length > limit && { next: toCursor({ run: last.run, startedAt: Date.parse(last.startedAt) }) }),
  };
}

/** Returns the part of a run that lists and charts show. */
export function toRunRow(past: PastRun): RunRowView {
  const { run, sync, kind, status, succeeded, startedAt, finishedAt, durationMs, counts, withoutFiles } = past;
  const { undone, undonePartly, undoneBy } = past;
  return {
    ...{ run, sync, kind, status, succeeded, startedAt, durationMs, counts },
    ...(finishedAt !== undefined && { finishedAt }),
    ...(withoutFiles !== undefined && { withoutFiles }),
    ...(undoneBy !== undefined && { ...(undone ? { undone } : { undonePartly }), undoneBy }),
  };
}
