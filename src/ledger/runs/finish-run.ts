import { type Kysely, sql, type Transaction } from 'kysely';
import { type ErrorCode, isLedgerFault } from '../../core/errors.ts';
import type { Warning } from '../../core/record.ts';
import {
  type CountName,
  countsAsSuccess,
  leavesUnsent,
  type RunCounts,
  type RunKind,
  type RunStatus,
  withRest,
} from '../../core/run.ts';
import { lastOutcome, outcomeOf, trimHistory } from '../attempts/deliveries.ts';
import { countWithoutFiles, hasNotEnded, isNotSent, isOfSource } from '../database/conditions.ts';
import { isRefused } from '../database/record-error.ts';
import type { LedgerDatabase, LedgerTables, RecordGoal, RecordsTable, RunRow } from '../database/schema.ts';
import { all, change, one } from '../database/statements.ts';
import { withIgnored } from '../target/ignored.ts';
import { REPORTED } from './rejections.ts';
import { addToTotals } from './run-totals.ts';

/** How a run ends early. */
export interface RunEnd {
  status: RunStatus;
  code: ErrorCode;
  message: string;
}

/** The kinds that read a feed: they succeed only if they read all of it. */
const READING: RunKind[] = ['run', 'approve', 'plan', 'backfill'];
/** The kinds that deliver the content of the source: they report what the CMS ignores of it. */
const REPORTING: RunKind[] = ['run', 'approve', 'retry', 'backfill', 'adopt'];

/**
 * Ends a run if it is still under way: takes the counts from its records, and the status from the counts. Returns true if this
 * call ended the run: many workers may find at the same time that the run is done.
 */
export function createFinish({ db, now }: LedgerDatabase): (run: string, end?: RunEnd) => Promise<boolean> {
  return finish;

  async function finish(run: string, end?: RunEnd): Promise<boolean> {
    try {
      return await finishWithCounts(run, end);
    } catch (error) {
      if (!end || !isLedgerFault(error)) throw error;
      return endOnly(run, end);
    }
  }

  /** Needs no more space than a heartbeat does. The counts stay those of the plan. */
  async function endOnly(run: string, { status, code, message }: RunEnd): Promise<boolean> {
    const ended = await change(db)`
      update runs set status = ${status}, finished_at = ${now}, error_code = ${code}, error_message = ${message}, succeeded = 0
      where id = ${run} and ${hasNotEnded}
    `;
    return ended > 0;
  }

  async function finishWithCounts(run: string, end?: RunEnd): Promise<boolean> {
    const ended = await db.transaction().execute(async (transaction) => {
      const row = await lockUnderWay(transaction, run);
      if (!row) return undefined;
      const { counts, records, refused } = await summarise(transaction, row, end);
      const status = end?.status ?? statusOf(row, counts);
      const succeeded = countsAsSuccess({ status, complete: row.complete === 1, counts }, refused);
      const isReported = row.ignores === 1 && REPORTING.includes(row.kind);
      const found = JSON.parse(row.warnings) as Warning[];
      const warnings = isReported ? await withIgnored(transaction, row.sync, found) : found;
      await change(transaction)`
        update runs set
          status = ${status},
          finished_at = ${now},
          counts = ${JSON.stringify(counts)},
          error_code = ${end?.code ?? null},
          error_message = ${end?.message ?? null},
          succeeded = ${succeeded ? 1 : 0},
          without_files = ${countWithoutFiles(row.sync)},
          warnings = ${JSON.stringify(warnings.slice(0, REPORTED))}
        where id = ${run}
      `;
      await noteUndo(transaction, row, status, counts);
      await addToTotals(transaction, now, row, { status, counts, succeeded });
      return { records };
    });
    if (ended && ended.records > 0) await trimHistory(db, run);
    return ended !== undefined;
  }

  /** Locks the row of a run under way. Other callers that end the run wait here, and then find it ended. */
  function lockUnderWay(transaction: Transaction<LedgerTables>, run: string) {
    return one<RunRow & { ignores: number }>(transaction)`
      update runs set finished_at = ${now} where id = ${run} and ${hasNotEnded}
      returning *, case when exists (
        select 1 from habits where habits.target = runs.target and habits.habit = 'ignored'
      ) then 1 else 0 end as ignores
    `;
  }
}

/** Notes with a run that an undo has taken it back, wholly or partly. The undo of an undo ends that. */
async function noteUndo(
  transaction: Transaction<LedgerTables>,
  { id, sync, undoes }: RunRow,
  status: RunStatus,
  { created, updated, deleted }: RunCounts,
): Promise<void> {
  const isWhole = status === 'success';
  if (undoes === null || !(isWhole || created + updated + deleted > 0)) return;
  await change(transaction)`
    update runs set undone_by = ${id}, undone_partly = ${isWhole ? 0 : 1}
    where id = ${undoes} ${isWhole ? sql`` : sql`and coalesce(undone_partly, 1) = 1`}
  `;
  if (isWhole) {
    await change(
      transaction,
    )`update runs set undone_by = null, undone_partly = null where sync = ${sync} and undone_by = ${undoes}`;
  }
}

/** Records of a run with the same goal and outcome, and how many of them were not sent or were refused for good. */
interface OutcomeGroup extends Pick<RecordsTable, 'goal' | 'status'> {
  last: 'created' | 'updated' | 'unchanged' | null;
  unread: number;
  records: number;
  uploads: number;
  unsent: number;
  refused: number;
}

/** Returns the counts of a run under way: those of its plan, and the outcomes of the records that are settled. */
export async function countsSoFar(db: Kysely<LedgerTables>, row: RunRow): Promise<RunCounts> {
  return (await summarise(db, row, undefined, sql`status <> 'pending'`)).counts;
}

/**
 * Adds the outcomes of the run's records to the counts of its plan. Records that are undelivered at the end have failed, except
 * those of a run that broke off before anything was sent for them.
 */
async function summarise(db: Kysely<LedgerTables>, row: RunRow, end: RunEnd | undefined, isCounted = sql`1 = 1`) {
  const isBrokenOff = leavesUnsent(end?.code);
  // A record that has lost its key is written, but the run has not read it.
  const isUnread = row.receipt === null ? sql`1 = 0` : sql`(${isOfSource} and missing_since is not null)`;
  const groups = await all<OutcomeGroup>(db)`
    select goal, status, ${lastOutcome} as last, case when ${isUnread} then 1 else 0 end as unread, count(*) as records,
      (select coalesce(sum(upload_count), 0) from attempts where attempts.run = ${row.id}) as uploads,
      sum(case when ${isBrokenOff ? isNotSent : sql`1 = 0`} then 1 else 0 end) as unsent,
      sum(case when status = 'failed' and ${isRefused} then 1 else 0 end) as refused
    from records where run = ${row.id} and ${isCounted} group by goal, status, last, unread
  `;
  const counts = JSON.parse(row.counts) as RunCounts;
  counts.uploaded += groups[0]?.uploads ?? 0;
  for (const { goal, status, last, unread, records, unsent } of groups) {
    const outcome = outcomeOf({ status, last }) ?? 'failed';
    const count = unread === 1 && outcome === 'unchanged' ? undefined : countOf(unread === 1 ? 'mark' : goal, outcome);
    // A delete or mark that was not sent is "not removed".
    const notSent = count === 'failed' ? unsent : 0;
    if (notSent > 0) counts.notSent = (counts.notSent ?? 0) + notSent;
    if (count) counts[count] += records - notSent;
  }
  return {
    // A run that fails may not have made its plan the desired state.
    counts: end?.status === 'failed' ? withRest(counts, isBrokenOff ? 'notSent' : 'failed') : counts,
    records: groups.reduce((sum, { records }) => sum + records, 0),
    refused: groups.reduce((sum, { goal, refused }) => sum + (goal === 'have' ? refused : 0), 0),
  };
}

function statusOf({ kind, complete, receipt }: RunRow, counts: RunCounts): RunStatus {
  if (kind === 'plan') return 'planned';
  // An approved repair has read no feed.
  const isPartlyRead = READING.includes(kind) && complete === 0 && !(kind === 'approve' && receipt === null);
  const isPartlyUndone = kind === 'undo' && counts.skipped > 0;
  const troubled = counts.rejected + counts.failed + counts.held + counts.unremoved > 0;
  return troubled || isPartlyRead || isPartlyUndone ? 'partial' : 'success';
}

/** The count to which a record adds; undefined: none, because the CMS no longer has the item that was to be marked. */
function countOf(goal: RecordGoal, outcome: NonNullable<ReturnType<typeof outcomeOf>>): CountName | undefined {
  if (goal === 'delete') return outcome === 'removed' ? 'deleted' : 'unremoved';
  if (goal === 'mark' && (outcome === 'skipped' || outcome === 'removed')) return undefined;
  if (goal === 'mark') return outcome === 'updated' ? 'marked' : 'unremoved';
  return outcome === 'removed' ? 'deleted' : outcome;
}
