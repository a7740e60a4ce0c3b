import type { ErrorCode } from '../core/errors.ts';
import type { RunCounts, RunStatus } from '../core/run.ts';
import { trimHistory } from './history.ts';
import type { LedgerDatabase, RunRow } from './schema.ts';
import { tallyRun } from './tallies.ts';

/** How a run ends that does not end by itself. */
export interface RunEnd {
  status: RunStatus;
  code: ErrorCode;
  message: string;
}

/** Ends a run if it is still under way: counts from its records, status from the counts. True for who ended it. */
export function createFinish({ db, now }: LedgerDatabase): (run: string, end?: RunEnd) => Promise<boolean> {
  return finish;

  async function finish(run: string, end?: RunEnd): Promise<boolean> {
    const row = await db.selectFrom('runs').selectAll().where('id', '=', run).executeTakeFirstOrThrow();
    const counts = await finalCounts(row);
    const isPartlyRead = row.kind !== 'retry' && row.kind !== 'slice' && row.complete === 0;
    const trouble = counts.rejected + counts.failed + counts.held > 0 || isPartlyRead;
    const status = end?.status ?? (trouble ? 'partial' : 'success');
    const isOurs = await db.transaction().execute(async (transaction) => {
      const updated = await transaction
        .updateTable('runs')
        .set({
          status,
          finished_at: now,
          counts: JSON.stringify(counts),
          error_code: end?.code ?? null,
          error_message: end?.message ?? null,
        })
        .where('id', '=', run)
        .where('status', 'in', ['running', 'planned'])
        .executeTakeFirst();
      if (updated.numUpdatedRows === 0n) return false;
      await tallyRun(transaction, now, row, { status, counts });
      return true;
    });
    await trimHistory(db, run);
    return isOurs;
  }

  /** What staging counted, plus what became of the run's records; what is undelivered at the end has failed. */
  async function finalCounts(row: RunRow): Promise<RunCounts> {
    const counts = JSON.parse(row.counts) as RunCounts;
    const outcomes = await db
      .selectFrom('records')
      .select(({ fn }) => ['outcome', fn.countAll<number>().as('records'), fn.sum<number>('uploads').as('uploads')])
      .where('run', '=', row.id)
      .groupBy('outcome')
      .execute();
    for (const { outcome, records, uploads } of outcomes) {
      counts[outcome ?? 'failed'] += Number(records);
      counts.uploaded += Number(uploads);
    }
    return counts;
  }
}
