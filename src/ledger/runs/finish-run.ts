import type { ErrorCode } from '../../core/errors.ts';
import type { RunCounts, RunStatus } from '../../core/run.ts';
import type { LedgerDatabase, RecordAction, RunRow, SettledOutcome } from '../database/schema.ts';
import { trimHistory } from '../history/deliveries.ts';
import { addToTotals } from './run-totals.ts';

/** How a run ends that does not end by itself. */
export interface RunEnd {
  status: RunStatus;
  code: ErrorCode;
  message: string;
}

/** The kinds that read a feed, so that it matters whether they read the whole. */
const READING: Array<RunRow['kind']> = ['run', 'approve', 'plan', 'backfill'];

/** Ends a run if it is still under way: counts from its records, status from the counts. True for who ended it. */
export function createFinish({ db, now }: LedgerDatabase): (run: string, end?: RunEnd) => Promise<boolean> {
  return finish;

  async function finish(run: string, end?: RunEnd): Promise<boolean> {
    const row = await db.selectFrom('runs').selectAll().where('id', '=', run).executeTakeFirstOrThrow();
    const counts = await finalCounts(row);
    const isPartlyRead = READING.includes(row.kind) && row.complete === 0;
    const isPartlyUndone = row.kind === 'undo' && counts.skipped > 0;
    const troubled = counts.rejected + counts.failed + counts.held + counts.unremoved > 0;
    const trouble = troubled || isPartlyRead || isPartlyUndone;
    const status = end?.status ?? (trouble ? 'partial' : 'success');
    const isOurs = await db.transaction().execute(async (transaction) => {
      const updated = await transaction
        .updateTable('runs')
        .set(endedColumns(status, counts, now, end))
        .where('id', '=', run)
        .where('status', 'in', ['running', 'planned'])
        .executeTakeFirst();
      if (updated.numUpdatedRows === 0n) return false;
      await addToTotals(transaction, now, row, { status, counts });
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
      .select(['action', 'outcome'])
      .select(({ fn }) => [fn.countAll<number>().as('records'), fn.sum<number>('upload_count').as('uploads')])
      .where('run', '=', row.id)
      .groupBy(['action', 'outcome'])
      .execute();
    for (const { action, outcome, records, uploads } of outcomes) {
      const count = countOf(action, outcome ?? 'failed');
      if (count) counts[count] += Number(records);
      counts.uploaded += Number(uploads);
    }
    return counts;
  }
}

/** What the row of a run says of its end. */
export function endedColumns(status: RunStatus, counts: RunCounts, now: LedgerDatabase['now'], end?: RunEnd) {
  return {
    status,
    finished_at: now,
    counts: JSON.stringify(counts),
    error_code: end?.code ?? null,
    error_message: end?.message ?? null,
  };
}

/** What a record is counted as; undefined: as nothing, for the CMS does not have what was to be marked. */
function countOf(action: RecordAction | null, outcome: SettledOutcome): keyof RunCounts | undefined {
  if (action === 'delete') return outcome === 'removed' ? 'deleted' : 'unremoved';
  if (action === 'mark' && (outcome === 'skipped' || outcome === 'removed')) return undefined;
  if (action === 'mark') return outcome === 'updated' ? 'marked' : 'unremoved';
  return outcome === 'removed' ? 'deleted' : outcome;
}
