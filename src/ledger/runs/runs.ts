import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { CodedError } from '../../core/errors.ts';
import type { FeedReceipt } from '../../core/feed.ts';
import type { Warning } from '../../core/record.ts';
import { type RunCounts, type RunReport, zeroCounts } from '../../core/run.ts';
import { isGone, thisProcess } from '../database/lease-holder.ts';
import { isUnderWay } from '../database/partial-indexes.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import { createFinish, type RunEnd } from './finish-run.ts';
import type { RunWork } from './run-kinds.ts';
import { createReport, REPORTED } from './run-report.ts';

const LEASE_MS = 30_000;

export interface RunStore {
  /**
   * Begins a run; a run whose process is gone is ended first.
   * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
   */
  begin(sync: string, kind: RunWork | 'plan'): Promise<string>;
  /** Ends the run of a sync whose process is gone, unless other processes still deliver its records. */
  endLeftAlone(sync: string): Promise<void>;
  /** Says that the leading process lives. Call it well within 30 s; false: the run has ended meanwhile. */
  heartbeat(run: string): Promise<boolean>;
  /** Keeps what reading and staging found out. */
  record(run: string, found: { counts: RunCounts; receipt?: FeedReceipt; warnings: Warning[] }): Promise<void>;
  /** Notes where a run delivers to. */
  bind(run: string, target: string): Promise<void>;
  /** Where the last run of a sync delivered to; undefined: there was none. */
  lastTarget(sync: string): Promise<string | undefined>;
  isRunning(run: string): Promise<boolean>;
  /** Where a run that is under way delivers to; undefined: it is not under way. */
  targetOf(run: string): Promise<string | null | undefined>;
  /** Ends a run if it is still running: counts from its records, status from the counts. True for who ended it. */
  finish(run: string, end?: RunEnd): Promise<boolean>;
  /** Whether any record of the run is still to be delivered. */
  hasPending(run: string): Promise<boolean>;
  /** Records of the run by what became of them, and how many are still to be delivered. */
  progress(run: string): Promise<{ settled: number; pending: number }>;
  report(run: string): Promise<RunReport>;
}

export function createRunStore(database: LedgerDatabase): RunStore {
  const { db, now } = database;
  const finish = createFinish(database);
  const report = createReport(database);
  return {
    begin,
    endLeftAlone,
    heartbeat,
    record,
    bind,
    lastTarget,
    isRunning,
    targetOf,
    finish,
    hasPending,
    progress,
    report,
  };

  async function begin(sync: string, kind: RunWork | 'plan'): Promise<string> {
    if (kind !== 'plan') await endAbandoned(sync);
    const id = newRunId();
    const inserted = await db
      .insertInto('runs')
      .values({
        id,
        sync,
        kind,
        status: kind === 'plan' ? 'planned' : 'running',
        holder: thisProcess,
        lease_until: sql<number>`${now} + ${LEASE_MS}`,
        started_at: now,
        complete: 0,
        counts: JSON.stringify(zeroCounts()),
        warnings: '[]',
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows === 0n) throw await busy(sync);
    return id;
  }

  async function busy(sync: string): Promise<CodedError> {
    const other = await running(sync);
    const which = other ? ` (${other.id}, led by ${other.holder})` : '';
    return new CodedError('FF_RUN_BUSY', `Another run of "${sync}" is under way${which}.`);
  }

  function running(sync: string) {
    return db
      .selectFrom('runs')
      .select(['id', 'holder', sql<number>`case when lease_until < ${now} then 1 else 0 end`.as('lapsed')])
      .where('sync', '=', sync)
      .where(isUnderWay)
      .executeTakeFirst();
  }

  async function endAbandoned(sync: string): Promise<void> {
    const other = await running(sync);
    if (!other || !(other.lapsed || isGone(other.holder))) return;
    await finish(other.id, {
      status: 'failed',
      code: 'FF_RUN_ABANDONED',
      message: `The process that led the run (${other.holder}) is gone.`,
    });
    await db.deleteFrom('staged_changes').where('run', '=', other.id).execute();
  }

  async function endLeftAlone(sync: string): Promise<void> {
    const other = await running(sync);
    if (other && !(await isUnderDelivery(other.id))) await endAbandoned(sync);
  }

  /** Whether records of a run are under way, or wait for their next try: then whoever settles the last ends the run. */
  async function isUnderDelivery(run: string): Promise<boolean> {
    const row = await db
      .selectFrom('records')
      .select('key')
      .where('run', '=', run)
      .where('status', '=', 'pending')
      .where(({ or, eb }) => or([eb('claim_until', '>=', now), eb('retry_at', '>', now)]))
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async function heartbeat(run: string): Promise<boolean> {
    const updated = await db
      .updateTable('runs')
      .set({ lease_until: sql<number>`${now} + ${LEASE_MS}` })
      .where('id', '=', run)
      .where('status', '=', 'running')
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  async function record(
    run: string,
    found: { counts: RunCounts; receipt?: FeedReceipt; warnings: Warning[] },
  ): Promise<void> {
    await db
      .updateTable('runs')
      .set({
        counts: JSON.stringify(found.counts),
        receipt: found.receipt ? JSON.stringify(found.receipt) : null,
        complete: found.receipt?.complete ? 1 : 0,
        warnings: JSON.stringify(found.warnings.slice(0, REPORTED)),
      })
      .where('id', '=', run)
      .execute();
  }

  async function bind(run: string, target: string): Promise<void> {
    await db.updateTable('runs').set({ target }).where('id', '=', run).execute();
  }

  async function lastTarget(sync: string): Promise<string | undefined> {
    const row = await db
      .selectFrom('runs')
      .select('target')
      .where('sync', '=', sync)
      .where('target', 'is not', null)
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row?.target ?? undefined;
  }

  async function isRunning(run: string): Promise<boolean> {
    const row = await db.selectFrom('runs').select('status').where('id', '=', run).executeTakeFirst();
    return row?.status === 'running';
  }

  async function targetOf(run: string): Promise<string | null | undefined> {
    const row = await db
      .selectFrom('runs')
      .select('target')
      .where('id', '=', run)
      .where('status', '=', 'running')
      .executeTakeFirst();
    return row?.target;
  }

  async function hasPending(run: string): Promise<boolean> {
    const row = await db
      .selectFrom('records')
      .select('key')
      .where('run', '=', run)
      .where('status', '=', 'pending')
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async function progress(run: string): Promise<{ settled: number; pending: number }> {
    const rows = await db
      .selectFrom('records')
      .select(({ fn }) => ['status', fn.countAll<number>().as('records')])
      .where('run', '=', run)
      .groupBy('status')
      .execute();
    const pending = Number(rows.find((row) => row.status === 'pending')?.records ?? 0);
    const all = rows.reduce((sum, row) => sum + Number(row.records), 0);
    return { settled: all - pending, pending };
  }
}

/** Sorts by time, and can be typed. */
export function newRunId(): string {
  const time = new Date().toISOString().replace(/[-:]/g, '').slice(0, 15);
  return `${time.replace('T', '-')}-${randomBytes(3).toString('hex')}`;
}
