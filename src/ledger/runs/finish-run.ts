import { sql } from 'kysely';
import type { ErrorCode } from '../../core/errors.ts';
import { brokeOff, type RunCounts, type RunKind, type RunStatus, withRest } from '../../core/run.ts';
import type { LedgerDatabase, RecordAction, SettledOutcome } from '../database/schema.ts';
import { trimHistory } from '../history/deliveries.ts';
import { addToTotals } from './run-totals.ts';

/** How a run ends early. */
export interface RunEnd {
  status: RunStatus;
  code: ErrorCode;
  message: string;
}

/** The kinds that read a feed: they succeed only if they read the whole. */
const READING: RunKind[] = ['run', 'approve', 'plan', 'backfill'];

/** Ends a run if it is still under way: counts from its records, status from the counts. Returns true if this call ended it. */
export function createFinish({ db, now }: LedgerDatabase): (run: string, end?: RunEnd) => Promise<boolean> {
  return finish;

  async function finish(run: string, end?: RunEnd): Promise<boolean> {
    const { row, counts: counted, records } = await summarise(run);
    // A run that broke off may not have made its plan the desired state.
    const counts = brokeOff(end?.code) ? withRest(counted, 'failed') : counted;
    // An approved repair has read no feed.
    const isPartlyRead = READING.includes(row.kind) && row.complete === 0 && !(row.kind === 'approve' && row.unread);
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
    if (records > 0) await trimHistory(db, run);
    return isOurs;
  }

  /** Adds the outcomes of the run's records to what staging counted. Records that are undelivered at the end have failed. */
  async function summarise(run: string) {
    const rows = await db
      .selectFrom('runs')
      .leftJoin('records', 'records.run', 'runs.id')
      .select(['runs.sync', 'kind', 'started_at', 'complete', 'counts', 'action', 'outcome'])
      .select(sql<number>`case when receipt is null then 1 else 0 end`.as('unread'))
      .select(({ fn }) => [fn.count<number>('records.key').as('records'), fn.sum<number>('upload_count').as('uploads')])
      .where('runs.id', '=', run)
      .groupBy(['runs.id', 'action', 'outcome'])
      .execute();
    const [row] = rows;
    if (!row) throw new Error(`The ledger has no run ${run}.`);
    const counts = JSON.parse(row.counts) as RunCounts;
    let total = 0;
    for (const { action, outcome, records, uploads } of rows) {
      const count = countOf(action, outcome ?? 'failed');
      if (count) counts[count] += Number(records);
      counts.uploaded += Number(uploads);
      total += Number(records);
    }
    return { row, counts, records: total };
  }
}

/** The columns of a run that has ended. */
export function endedColumns(status: RunStatus, counts: RunCounts, now: LedgerDatabase['now'], end?: RunEnd) {
  return {
    status,
    finished_at: now,
    counts: JSON.stringify(counts),
    error_code: end?.code ?? null,
    error_message: end?.message ?? null,
  };
}

/** The count to which a record adds; undefined: none, because the CMS no longer has the item that was to be marked. */
function countOf(action: RecordAction | null, outcome: SettledOutcome): keyof RunCounts | undefined {
  if (action === 'delete') return outcome === 'removed' ? 'deleted' : 'unremoved';
  if (action === 'mark' && (outcome === 'skipped' || outcome === 'removed')) return undefined;
  if (action === 'mark') return outcome === 'updated' ? 'marked' : 'unremoved';
  return outcome === 'removed' ? 'deleted' : outcome;
}
