import { sql } from 'kysely';
import { CodedError } from '../../core/errors.ts';
import type { FeedReceipt } from '../../core/feed.ts';
import type { Resource, Warning } from '../../core/record.ts';
import { type LimitShare, type RunCounts, type RunKind, type RunStatus, zeroCounts } from '../../core/run.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import type { Deed } from '../attempts/deeds.ts';
import { countWithoutFiles, hasNotEnded, isPaused, isUnderWay, mayHaveItem } from '../database/conditions.ts';
import type { LedgerDatabase, RunRow } from '../database/schema.ts';
import { all, change, exists, one, only } from '../database/statements.ts';
import { createFinish } from './finish-run.ts';
import { REPORTED } from './rejections.ts';
import { createReport } from './run-report.ts';

/** The person or program that asks for a run. */
export type Asker = Pick<Deed, 'by' | 'via'>;

/** Where the items of a sync are: the site or calendar, its id before the site moved, and the kind of the items. */
export interface RunTarget {
  targetId: string;
  formerTargetId?: string;
  resource: Resource;
}

/** The findings of a run from reading and staging. */
export interface RunFindings {
  counts: RunCounts;
  receipt?: FeedReceipt;
  warnings?: readonly Warning[];
  /** Hash of everything that decides the plan, except the feed. */
  fingerprint?: string;
  shares?: readonly LimitShare[];
}

export function createRunStore(database: LedgerDatabase) {
  const { db, now, leaseUntil, runtime } = database;
  const finish = createFinish(database);
  const report = createReport(database);
  return {
    ...{ begin, lead, countElsewhere, endLeftAlone, heartbeat, record, state, progress, finish, report },
    forgetPlan,
  };

  /**
   * Begins a run; a run of the sync whose process has exited is ended first.
   * @param asked absent: a schedule asks for it
   * @returns its id
   * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
   */
  async function begin(sync: string, kind: RunKind, asked?: Asker): Promise<string> {
    return (await lead(sync, kind, undefined, asked)).run;
  }

  /**
   * Begins a run that delivers to a target. The run gets no target if the records of the sync are in another target.
   * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
   */
  async function lead(sync: string, kind: RunKind, target?: RunTarget, asked?: Asker) {
    const run = newId(runtime);
    const status = kind === 'plan' ? 'planned' : 'running';
    const bound = target && sql`case when ${isElsewhere(sync, target)} then null else ${target.targetId} end`;
    for (;;) {
      const begun = await one<{ target: string | null; waited_ms: number }>(db)`
        insert into runs (
          id, sync, kind, status, target, holder, lease_until, started_at, counts, warnings, asked_by, asked_via
        ) values (
          ${run}, ${sync}, ${kind}, ${status}, ${bound ?? null}, ${runtime.process}, ${leaseUntil}, ${now},
          ${JSON.stringify(zeroCounts())}, '[]', ${asked?.by ?? null}, ${asked?.via ?? null}
        )
        on conflict do nothing returning target, ${now} - started_at as waited_ms
      `;
      // PostgreSQL reads the clock before the insert waits for the end of the earlier run.
      if (begun && begun.waited_ms > 0) await change(db)`update runs set started_at = ${now} where id = ${run}`;
      if (begun) return { run, isElsewhere: target !== undefined && begun.target === null };
      const other = await running(sync);
      if (other && !(await endAbandoned(other))) throw busy(sync, other);
    }
  }

  /** How many records of a sync the CMS has or may have, by their kind, if they are elsewhere; else none. */
  async function countElsewhere(sync: string, target: RunTarget): Promise<Partial<Record<Resource, number>>> {
    const rows = await all<{ resource: Resource; count: number }>(db)`
      select resource, count(*) as count from records
      where sync = ${sync} and ${mayHaveItem} and ${isElsewhere(sync, target)} group by resource
    `;
    return Object.fromEntries(rows.map(({ resource, count }) => [resource, count]));
  }

  function running(sync: string) {
    return one<RunningRun>(db)`
      select id, kind, holder, case when lease_until < ${now} then 1 else 0 end as lapsed from runs
      where sync = ${sync} and ${isUnderWay}
    `;
  }

  /** Ends a run whose process has exited; false if the process may be alive. */
  async function endAbandoned({ id, holder, lapsed }: RunningRun): Promise<boolean> {
    if (!lapsed && !runtime.isGone(holder)) return false;
    const message = `The process that led the run (${holder}) has exited.`;
    await finish(id, { status: 'failed', code: 'FF_RUN_ABANDONED', message });
    await change(db)`delete from staged_changes where run = ${id}`;
    return true;
  }

  /** Ends the run of a sync whose process has exited, unless other processes still deliver its records. */
  async function endLeftAlone(sync: string): Promise<void> {
    const other = await running(sync);
    if (other && !(await isUnderDelivery(other.id))) await endAbandoned(other);
  }

  /** Whether records of a run are being delivered or wait for their next attempt: settling the last of them ends the run. */
  async function isUnderDelivery(run: string): Promise<boolean> {
    return (
      (await exists(db)`select 1 from claims where run = ${run} and until >= ${now}`) ||
      exists(db)`select 1 from records where run = ${run} and status = 'pending' and ${isPaused(now)}`
    );
  }

  /** Forgets a plan of a sync that has no file. */
  async function forgetPlan(run: string): Promise<void> {
    await change(db)`delete from rejections where run = ${run}`;
    await change(db)`delete from runs where id = ${run} and kind = 'plan'`;
  }

  /** Renews the lease of the leading process. */
  async function heartbeat(run: string): Promise<void> {
    await change(db)`update runs set lease_until = ${leaseUntil} where id = ${run} and ${isUnderWay}`;
  }

  /**
   * Writes the findings about a run and leaves its other columns. A run that another process has ended, because its leader was
   * suspended, stays as it is.
   */
  async function record(run: string, findings: RunFindings): Promise<void> {
    const { counts, receipt, warnings, fingerprint, shares } = findings;
    await change(db)`
      update runs set
        counts = ${JSON.stringify(counts)},
        without_files = ${countWithoutFiles(sql.ref('runs.sync'))},
        receipt = coalesce(${receipt ? JSON.stringify(receipt) : null}, receipt),
        complete = coalesce(${receipt ? Number(receipt.complete) : null}, complete),
        warnings = coalesce(${warnings ? JSON.stringify(warnings.slice(0, REPORTED)) : null}, warnings),
        fingerprint = coalesce(${fingerprint ?? null}, fingerprint),
        shares = coalesce(${shares ? JSON.stringify(shares) : null}, shares)
      where id = ${run} and ${hasNotEnded}
    `;
  }

  /** The state of a run, as deliveries need it: a cancelled run does not run. Undefined if there is no such run. */
  async function state(run: string) {
    const row = await one<Pick<RunRow, 'status' | 'target' | 'cancelled'> & { pending: boolean | 0 | 1 }>(db)`
      select status, target, cancelled,
        exists (select 1 from records where run = ${run} and status = 'pending') as pending
      from runs where id = ${run}
    `;
    return (
      row && {
        isRunning: row.status === 'running' && row.cancelled === null,
        target: row.target,
        hasPending: Boolean(row.pending),
        /** Who cancelled it, and why. */
        cancelled: row.cancelled ?? undefined,
      }
    );
  }

  /** How many records of a run are settled, and how many are still to be delivered. Reads all records of the run. */
  async function progress(run: string): Promise<{ isRunning: boolean; settled: number; pending: number }> {
    const { status, records, pending } = await only<{ status: RunStatus; records: number; pending: number }>(db)`
      select status,
        (select count(*) from records where run = ${run}) as records,
        (select count(*) from records where run = ${run} and status = 'pending') as pending
      from runs where id = ${run}
    `;
    return { isRunning: status === 'running', settled: records - pending, pending };
  }
}

type RunningRun = Pick<RunRow, 'id' | 'kind' | 'holder'> & { lapsed: number };

function busy(sync: string, { id, kind, holder }: RunningRun): CodedError {
  const what = kind === 'backfill' ? 'A backfill' : 'Another run';
  return new CodedError('FF_RUN_BUSY', `${what} of "${sync}" is under way (${id}, led by ${holder}).`);
}

/** The last run of a sync delivered to another target, and the CMS there has records of the sync; or they are other items. */
function isElsewhere(sync: string, { targetId, formerTargetId = targetId, resource }: RunTarget) {
  return sql<boolean>`(
    exists (select 1 from records where sync = ${sync} and cms_id is not null)
    and (
      select target from runs where sync = ${sync} and target is not null order by started_at desc limit 1
    ) not in (${targetId}, ${formerTargetId})
    or (select resource from records where sync = ${sync} and ${mayHaveItem} limit 1) <> ${resource}
  )`;
}

/** An id that sorts by time and can be typed. */
function newId({ now, uuid }: Runtime): string {
  const time = new Date(now()).toISOString().replace(/[-:]/g, '').slice(0, 15);
  return `${time.replace('T', '-')}-${uuid().slice(0, 6)}`;
}
