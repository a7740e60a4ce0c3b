import { type RunCounts, withRest } from '../../core/run.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { endedColumns, type RunEnd } from '../runs/finish-run.ts';
import { addToTotals } from '../runs/run-totals.ts';
import type { OpenBackfill } from './open-backfill.ts';

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
      await transaction.deleteFrom('staged_changes').where('run', '=', run).execute();
      await addToTotals(transaction, now, row, { status, counts, durationMs: worked_ms });
    });
}
