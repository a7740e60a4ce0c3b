import { sql } from 'kysely';
import { CodedError } from '../../core/errors.ts';
import { BROKEN_OFF, type RunCounts, type RunKind, type RunStatus } from '../../core/run.ts';
import { processName } from '../../core/runtime/process-name.ts';
import { hasBegun, hasChanges, isUnderWay } from '../database/conditions.ts';
import type { LedgerDatabase, RunRow } from '../database/schema.ts';
import { appliesFeed, reportedKind } from './run-kinds.ts';
import { type Sequel, withSequels } from './undone-runs.ts';

/** Number of runs that are searched for one that has read its feed. */
const LOOKED_AT = 100;

/** A run, and what was done about it later. */
export type PastRun = ReturnType<typeof toPastRun> & Sequel;

export interface RunUnderWay extends Pick<PastRun, 'run' | 'sync'> {
  kind: PastRun['kind'] | 'approval' | 'adoption';
}

export interface NewestOptions {
  sync?: string;
  limit: number;
  /** Only runs that changed something in the CMS. */
  changed?: boolean;
  /** Only runs with one of these results. */
  statuses?: readonly RunStatus[];
  /** Only runs that began in this time, in ms since 1970; the end is exclusive. */
  began?: { from: number; to: number };
  /** Only runs that began before this one. */
  before?: { run: string; startedAt: number };
}

export function createPastRunStore({ db, now, runtime }: LedgerDatabase) {
  return { find, get, newest, lastChanging, underWay, leaders, last, lastBegun, isLed, lastReading };

  async function find(run: string): Promise<PastRun | undefined> {
    const row = await db.selectFrom('runs').select(listedColumns).where('id', '=', run).executeTakeFirst();
    return (await pastRuns(row ? [row] : []))[0];
  }

  /** @throws CodedError FF_RUN_UNKNOWN */
  async function get(run: string): Promise<PastRun> {
    const past = await find(run);
    if (!past) throw new CodedError('FF_RUN_UNKNOWN', `The ledger has no run "${run}".`);
    return past;
  }

  /** The newest runs of all kinds, of one sync or of all. */
  async function newest({ sync, limit, changed, statuses, began, before }: NewestOptions): Promise<PastRun[]> {
    const runs = newestFirst()
      .$if(sync !== undefined, (query) => query.where('sync', '=', sync ?? ''))
      .$if(changed === true, (query) => query.where(hasChanges))
      .$if(statuses !== undefined, (query) => query.where('status', 'in', [...(statuses ?? [])]))
      .$if(began !== undefined, (query) =>
        query.where('started_at', '>=', began?.from ?? 0).where('started_at', '<', began?.to ?? 0),
      )
      .$if(before !== undefined, (query) =>
        query.where(sql<boolean>`(started_at, id) < (cast(${before?.startedAt} as bigint), ${before?.run})`),
      );
    return pastRuns(await runs.limit(limit).execute());
  }

  async function pastRuns(rows: readonly ListedRow[]): Promise<PastRun[]> {
    const runs = rows.map((row) => toPastRun(row, runtime.now()));
    return withSequels(runs, db);
  }

  /** The last run of a sync that changed something in the CMS, or may have; an undo does not count. */
  async function lastChanging(sync: string): Promise<PastRun | undefined> {
    const mayHaveChanged = sql<boolean>`(${hasChanges} or exists (
      select 1 from attempts where attempts.run = runs.id and attempts.doubt = 'sent'
    ) or exists (select 1 from claims where claims.run = runs.id))`;
    const runs = newestFirst().where('sync', '=', sync).where('kind', '<>', 'undo').where(mayHaveChanged);
    const row = await runs.limit(1).executeTakeFirst();
    return row && toPastRun(row, runtime.now());
  }

  /** Running runs of all syncs, except those of exited processes. */
  async function led() {
    const held = db.selectFrom('runs').where(isUnderWay).where('lease_until', '>=', now).orderBy('sync');
    const rows = await held.select(['id as run', 'sync', 'kind', 'holder', 'started_at']).execute();
    return rows.filter(({ holder }) => !runtime.isGone(holder));
  }

  async function underWay(): Promise<RunUnderWay[]> {
    const named = (kind: RunKind) => (kind === 'approve' ? 'approval' : kind === 'adopt' ? 'adoption' : kind);
    return (await led()).map(({ run, sync, kind }) => ({ run, sync, kind: named(kind) }));
  }

  /** The processes that lead running runs, and when the oldest of each process's runs began. */
  async function leaders(): Promise<Array<{ name: string; since: number }>> {
    const since = new Map<string, number>();
    for (const { holder, started_at } of await led()) {
      const name = processName(holder);
      since.set(name, Math.min(started_at, since.get(name) ?? started_at));
    }
    return [...since].map(([name, at]) => ({ name, since: at })).toSorted((one, other) => one.since - other.since);
  }

  /** The last run of a sync; plans, retries and backfills do not count. */
  async function last(sync: string): Promise<PastRun | undefined> {
    const row = await newestFirst().where('sync', '=', sync).where(appliesFeed).limit(1).executeTakeFirst();
    return row && toPastRun(row, runtime.now());
  }

  /** The last run of a sync that read its feed uninterrupted, and how long ago it began, in ms by the ledger's clock. */
  async function lastBegun(sync: string): Promise<{ run: string; agoMs: number; isOver: boolean } | undefined> {
    const row = await db
      .selectFrom('runs')
      .select(['id', 'finished_at', sql<number>`${now} - started_at`.as('ago')])
      .where(({ and }) => and({ sync, kind: 'run' }))
      .where(sql<boolean>`(error_code is null or error_code not in (${sql.join(BROKEN_OFF)}))`)
      .where(hasBegun(now))
      .orderBy('started_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && { run: row.id, agoMs: row.ago, isOver: row.finished_at !== null };
  }

  /** Whether a run is running and its process is not known to have exited. */
  async function isLed(run: string): Promise<boolean> {
    return (await led()).some((each) => each.run === run);
  }

  /** The last run or backfill of a sync that has read records. A plan, also one of an unsaved draft, applies nothing. */
  async function lastReading(sync: string): Promise<PastRun | undefined> {
    const rows = await newestFirst()
      .where('sync', '=', sync)
      .where('kind', 'in', ['run', 'approve', 'backfill'])
      .limit(LOOKED_AT)
      .execute();
    return rows.map((row) => toPastRun(row, runtime.now())).find(({ hasRead }) => hasRead);
  }

  function newestFirst() {
    return db.selectFrom('runs').select(listedColumns).orderBy('started_at', 'desc').orderBy('id', 'desc');
  }
}

/** The columns of `toPastRun`. */
export const listedColumns = [
  ...(['id', 'sync', 'kind', 'status', 'started_at', 'finished_at', 'counts', 'complete', 'without_files'] as const),
  ...(['error_code', 'error_message', 'succeeded', 'lease_until', 'cancelled', 'fingerprint'] as const),
  ...(['asked_by', 'asked_via'] as const),
] satisfies Array<keyof RunRow>;

export type ListedRow = Pick<RunRow, (typeof listedColumns)[number]>;

/**
 * Summary of a run. Times are ISO instants.
 * @param now in ms since 1970
 */
export function toPastRun(row: ListedRow, now: number) {
  const counts = JSON.parse(row.counts) as RunCounts;
  return {
    run: row.id,
    sync: row.sync,
    kind: reportedKind(row.kind),
    status: row.status,
    startedAt: new Date(row.started_at).toISOString(),
    /** Absent while the run is under way. */
    ...(row.finished_at === null ? {} : { finishedAt: new Date(row.finished_at).toISOString() }),
    /** Until now, while the run is under way; until the end of its lease, if its process was silent since. */
    durationMs: Math.max(0, (row.finished_at ?? Math.min(now, row.lease_until)) - row.started_at),
    counts,
    /** Whether it has read records of its source, and not only those of the ledger, as a retry or a repair does. */
    hasRead: counts.read > 0 && row.fingerprint !== null,
    complete: row.complete === 1,
    ...(row.without_files ? { withoutFiles: row.without_files } : {}),
    /** Whether the run counts as a success, although its status may be "partial". */
    succeeded: row.succeeded === 1,
    /** Who cancelled the run, and why. */
    ...(row.cancelled === null ? {} : { cancelled: row.cancelled }),
    /** Who asked for it; absent: a schedule did. */
    ...(row.asked_by === null || row.asked_via === null ? {} : { asked: { by: row.asked_by, via: row.asked_via } }),
    ...(row.error_code ? { error: { code: row.error_code, message: row.error_message ?? '' } } : {}),
  };
}
