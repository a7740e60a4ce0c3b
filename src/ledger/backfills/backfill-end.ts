import type { RunCounts } from '../../core/run.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { endedColumns, type RunEnd } from '../runs/finish-run.ts';
import { tallyRun } from '../runs/run-totals.ts';
import type { OpenBackfill } from './backfills.ts';

/** Ends a backfill, and forgets the work that is left. */
export function createBackfillEnd({ db, now }: LedgerDatabase) {
  return (backfill: OpenBackfill, end?: RunEnd): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      const { run } = backfill;
      const row = await transaction.selectFrom('runs').selectAll().where('id', '=', run).executeTakeFirstOrThrow();
      const { worked_ms } = await transaction
        .deleteFrom('backfills')
        .where('run', '=', run)
        .returning('worked_ms')
        .executeTakeFirstOrThrow();
      const counts = withRest(JSON.parse(row.counts) as RunCounts, end?.status === 'held' ? 'held' : 'failed');
      const trouble = counts.rejected + counts.failed + counts.held > 0 || row.complete === 0;
      const status = end?.status ?? (trouble ? 'partial' : 'success');
      await transaction
        .updateTable('runs')
        .set(endedColumns(status, counts, now, end))
        .where('id', '=', run)
        .execute();
      await transaction.deleteFrom('backfill_work').where('backfill', '=', run).execute();
      await transaction.deleteFrom('staged').where('run', '=', run).execute();
      await tallyRun(transaction, now, row, { status, counts, durationMs: worked_ms });
    });
}

/** The counts of a backfill that stops here: so they balance, whatever is not done. */
export function withRest(counts: RunCounts, rest: 'failed' | 'held'): RunCounts {
  const { read, created, updated, unchanged, rejected, failed, held, skipped } = counts;
  const undone = read - created - updated - unchanged - rejected - failed - held - skipped;
  return { ...counts, [rest]: counts[rest] + undone };
}
