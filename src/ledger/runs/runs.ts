import { sql } from 'kysely';
import { CodedError } from '../../core/errors.ts';
import type { FeedReceipt } from '../../core/feed.ts';
import type { Resource, Warning } from '../../core/record.ts';
import { type RunCounts, type RunKind, zeroCounts } from '../../core/run.ts';
import type { Deed } from '../attempts/deeds.ts';
import { countWithoutFiles, hasNotEnded, isPaused, isUnderWay, mayHaveItem } from '../database/conditions.ts';
import { hasRows } from '../database/queries.ts';
import type { LedgerDatabase, RunRow } from '../database/schema.ts';
import { countsSoFar, createFinish } from './finish-run.ts';
import type { RunWork } from './run-kinds.ts';
import { createReport, REPORTED } from './run-report.ts';

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
}

export function createRunStore(database: LedgerDatabase) {
  const { db, now, leaseUntil, runtime } = database;
  const finish = createFinish(database);
  const report = createReport(database);
  return {
    ...{ begin, lead, countElsewhere, endLeftAlone, heartbeat, record, state, progress, finish, report },
    ...{ endPlan, forgetPlan },
    countsSoFar: (run: string) => countsSoFar(db, run),
  };

  /**
   * Begins a run; a run of the sync whose process has exited is ended first.
   * @param asked absent: a schedule asks for it
   * @returns its id
   * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
   */
  async function begin(sync: string, kind: RunWork | 'plan', asked?: Asker): Promise<string> {
    return (await lead(sync, kind, undefined, asked)).run;
  }

  /**
   * Begins a run that delivers to a target. The run gets no target if the records of the sync are in another target.
   * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
   */
  async function lead(sync: string, kind: RunWork | 'plan', target?: RunTarget, asked?: Asker) {
    const run = newRun(sync, kind, database);
    const bound = target && sql<string>`case when ${isElsewhere(sync, target)} then null else ${target.targetId} end`;
    const insert = db
      .insertInto('runs')
      .values({ ...run, target: bound ?? null, asked_by: asked?.by ?? null, asked_via: asked?.via ?? null })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['target', sql<number>`${now} - started_at`.as('waitedMs')]);
    for (;;) {
      const inserted = await insert.executeTakeFirst();
      // PostgreSQL reads the clock before the insert waits for the end of the earlier run.
      if ((inserted?.waitedMs ?? 0) > 0)
        await db.updateTable('runs').set({ started_at: now }).where('id', '=', run.id).execute();
      if (inserted) return { run: run.id, isElsewhere: target !== undefined && inserted.target === null };
      const other = await running(sync);
      if (other && !(await endAbandoned(other))) throw busy(sync, other);
    }
  }

  /** How many records of a sync the CMS has or may have, by their kind, if they are elsewhere; else none. */
  async function countElsewhere(sync: string, target: RunTarget): Promise<Partial<Record<Resource, number>>> {
    const rows = await db
      .selectFrom('records')
      .select(({ fn }) => ['resource', fn.countAll<number>().as('count')])
      .where('sync', '=', sync)
      .where(mayHaveItem)
      .where(isElsewhere(sync, target))
      .groupBy('resource')
      .execute();
    return Object.fromEntries(rows.map(({ resource, count }) => [resource, count]));
  }

  function running(sync: string) {
    return db
      .selectFrom('runs')
      .select(['id', 'kind', 'holder', sql<number>`case when lease_until < ${now} then 1 else 0 end`.as('lapsed')])
      .where('sync', '=', sync)
      .where(isUnderWay)
      .executeTakeFirst();
  }

  /** Ends a run whose process has exited; false if the process may be alive. */
  async function endAbandoned({ id, holder, lapsed }: RunningRun): Promise<boolean> {
    if (!lapsed && !runtime.isGone(holder)) return false;
    const message = `The process that led the run (${holder}) has exited.`;
    await finish(id, { status: 'failed', code: 'FF_RUN_ABANDONED', message });
    await db.deleteFrom('staged_changes').where('run', '=', id).execute();
    return true;
  }

  /** Ends the run of a sync whose process has exited, unless other processes still deliver its records. */
  async function endLeftAlone(sync: string): Promise<void> {
    const other = await running(sync);
    if (other && !(await isUnderDelivery(other.id))) await endAbandoned(other);
  }

  /** Whether records of a run are being delivered or wait for their next attempt: settling the last of them ends the run. */
  async function isUnderDelivery(run: string): Promise<boolean> {
    const claims = db.selectFrom('claims').where('run', '=', run).where('until', '>=', now);
    return (await hasRows(claims)) || hasRows(recordsOf(run).where('status', '=', 'pending').where(isPaused(now)));
  }

  /** Ends a plan that was shown. Its status stays "planned". */
  async function endPlan(run: string): Promise<void> {
    await db
      .updateTable('runs')
      .set({ finished_at: now })
      .where('id', '=', run)
      .where('finished_at', 'is', null)
      .execute();
  }

  /** Forgets a plan of a sync that has no file. */
  async function forgetPlan(run: string): Promise<void> {
    await db.deleteFrom('rejections').where('run', '=', run).execute();
    await db.deleteFrom('runs').where('id', '=', run).where('kind', '=', 'plan').execute();
  }

  /** Renews the lease of the leading process. */
  async function heartbeat(run: string): Promise<void> {
    await db
      .updateTable('runs')
      .set({ lease_until: leaseUntil })
      .where(({ and }) => and({ id: run, status: 'running' }))
      .execute();
  }

  /**
   * Writes the findings about a run and leaves its other columns. A run that another process has ended, because its leader was
   * suspended, stays as it is.
   */
  async function record(run: string, findings: RunFindings): Promise<void> {
    const { counts, receipt, warnings, fingerprint } = findings;
    await db
      .updateTable('runs')
      .set({
        counts: JSON.stringify(counts),
        without_files: countWithoutFiles(sql.ref('runs.sync')),
        ...(receipt && { receipt: JSON.stringify(receipt), complete: receipt.complete ? 1 : 0 }),
        ...(warnings && { warnings: JSON.stringify(warnings.slice(0, REPORTED)) }),
        ...(fingerprint !== undefined && { fingerprint }),
      })
      .where('id', '=', run)
      .where(hasNotEnded)
      .execute();
  }

  /** The state of a run, as deliveries need it: a cancelled run does not run. Undefined if there is no such run. */
  async function state(run: string) {
    const row = await db
      .selectFrom('runs')
      .select(['status', 'target', 'cancelled'])
      .select(({ exists }) => exists(recordsOf(run).select('key').where('status', '=', 'pending')).as('pending'))
      .where('id', '=', run)
      .executeTakeFirst();
    const isRunning = row?.status === 'running' && row.cancelled === null;
    return row && { isRunning, target: row.target, hasPending: Boolean(row.pending) };
  }

  /** How many records of a run are settled, and how many are still to be delivered. Reads all records of the run. */
  async function progress(run: string): Promise<{ isRunning: boolean; settled: number; pending: number }> {
    const count = sql<number>`count(*)`;
    const { status, records, pending } = await db
      .selectFrom('runs')
      .select('status')
      .select(recordsOf(run).select(count.as('records')).as('records'))
      .select(recordsOf(run).select(count.as('records')).where('status', '=', 'pending').as('pending'))
      .where('id', '=', run)
      .executeTakeFirstOrThrow();
    return { isRunning: status === 'running', settled: Number(records) - Number(pending), pending: Number(pending) };
  }

  function recordsOf(run: string) {
    return db.selectFrom('records').where('run', '=', run);
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

/** The row of a run that begins now. The id sorts by time and can be typed. */
function newRun(sync: string, kind: RunKind, { now, leaseUntil, runtime }: LedgerDatabase) {
  const time = new Date(runtime.now()).toISOString().replace(/[-:]/g, '').slice(0, 15);
  return {
    id: `${time.replace('T', '-')}-${runtime.uuid().slice(0, 6)}`,
    sync,
    kind,
    status: kind === 'plan' ? ('planned' as const) : ('running' as const),
    holder: runtime.process,
    lease_until: leaseUntil,
    started_at: now,
    complete: 0,
    counts: JSON.stringify(zeroCounts()),
    warnings: '[]',
  };
}
