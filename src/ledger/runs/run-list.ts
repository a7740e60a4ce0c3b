import { type RawBuilder, sql } from 'kysely';
import { CodedError } from '../../core/errors.ts';
import { BROKEN_OFF, type RunCounts, type RunKind, type RunStatus, reportedKind } from '../../core/run.ts';
import { processName } from '../../core/runtime/process-name.ts';
import { appliesFeed, hasBegun, hasChanges, isUnderWay } from '../database/conditions.ts';
import type { LedgerDatabase, RunRow } from '../database/schema.ts';
import { all, one } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { type HoldDecision, withDecisions } from './decided-runs.ts';

/** Number of runs that are searched for one that has read its feed. */
const LOOKED_AT = 100;

/** A run, and what was done about it later. */
export type PastRun = ReturnType<typeof toPastRun> & { decision?: HoldDecision };

/** A run that applied a feed. */
export interface RecentRun extends PastRun {
  /** The run applied the plan of a held run, which had read the feed. */
  isApproval: boolean;
  /** How long ago the run began, in ms by the ledger's clock. */
  agoMs: number;
}

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

export function createPastRunStore({ db, now, forRows, runtime }: LedgerDatabase) {
  return { find, get, newest, recent, lastChanging, underWay, leaders, lastBegun, lastReading };

  async function find(run: string): Promise<PastRun | undefined> {
    return (await pastRuns(await all<ListedRow>(db)`select ${columns} from runs where id = ${run}`))[0];
  }

  /** @throws CodedError FF_RUN_UNKNOWN */
  async function get(run: string): Promise<PastRun> {
    const past = await find(run);
    if (!past) throw new CodedError('FF_RUN_UNKNOWN', `The ledger has no run "${run}".`);
    return past;
  }

  /** The newest runs of all kinds, of one sync or of all. */
  async function newest({ sync, limit, changed, statuses, began, before }: NewestOptions): Promise<PastRun[]> {
    const conditions = [
      sql`1 = 1`,
      ...(sync === undefined ? [] : [sql`sync = ${sync}`]),
      ...(changed ? [hasChanges] : []),
      ...(statuses ? [isOneOf('status', statuses)] : []),
      ...(began ? [sql`started_at >= ${began.from} and started_at < ${began.to}`] : []),
      ...(before ? [sql`(started_at, id) < (cast(${before.startedAt} as bigint), ${before.run})`] : []),
    ];
    return pastRuns(await newestFirst(sql.join(conditions, sql` and `), limit));
  }

  async function pastRuns(rows: readonly ListedRow[]): Promise<PastRun[]> {
    return withDecisions(rows.map(toPast), db);
  }

  /** The last runs of each of these syncs that applied a feed, newest first; syncs without such runs are absent. */
  async function recent(syncs: readonly string[], limit: number): Promise<Map<string, RecentRun[]>> {
    const wanted = syncs.map((sync) => ({ sync }));
    // If a sync seldom runs, PostgreSQL would search all runs by time for the sync's, unless they are ordered by sync, too.
    const rows = await forRows(db, wanted, (table) => {
      return sql<ListedRow & { ago: number }>`
        select ${columns}, ${now} - runs.started_at as ago
        from ${table} as wanted cross join runs
        where runs.sync = wanted.sync and ${appliesFeed} and runs.started_at >= coalesce((
          select earlier.started_at from runs as earlier
          where earlier.sync >= wanted.sync and earlier.sync <= wanted.sync and ${appliesFeed}
          order by earlier.sync desc, earlier.started_at desc, earlier.id desc limit 1 offset ${sql.lit(limit - 1)}
        ), 0)
        order by runs.sync, runs.started_at desc, runs.id desc
      `;
    });
    const found = rows.map((row) => ({ ...toPast(row), isApproval: row.kind === 'approve', agoMs: row.ago }));
    const bySync = Map.groupBy(await withDecisions(found, db), ({ sync }) => sync);
    // Several runs may have begun in the same millisecond as the last one.
    return new Map([...bySync].map(([sync, runs]) => [sync, runs.slice(0, limit)]));
  }

  /** The last run of a sync that changed something in the CMS, or may have; an undo does not count. */
  async function lastChanging(sync: string): Promise<PastRun | undefined> {
    const [row] = await newestFirst(
      sql`sync = ${sync} and kind <> 'undo' and (
        ${hasChanges}
        or exists (select 1 from attempts where attempts.run = runs.id and attempts.doubt = 'sent')
        or exists (select 1 from claims where claims.run = runs.id)
      )`,
      1,
    );
    return row && toPast(row);
  }

  /** Running runs of all syncs, except those of exited processes. */
  async function led() {
    const rows = await all<Pick<RunRow, 'id' | 'sync' | 'kind' | 'holder' | 'started_at'>>(db)`
      select id, sync, kind, holder, started_at from runs where ${isUnderWay} and lease_until >= ${now} order by sync
    `;
    return rows.filter(({ holder }) => !runtime.isGone(holder));
  }

  async function underWay(): Promise<RunUnderWay[]> {
    const named = (kind: RunKind) => (kind === 'approve' ? 'approval' : kind === 'adopt' ? 'adoption' : kind);
    return (await led()).map(({ id, sync, kind }) => ({ run: id, sync, kind: named(kind) }));
  }

  /** The processes that lead running runs, and when the oldest of each process's runs began. */
  async function leaders(): Promise<Array<{ name: string; since: number }>> {
    const byName = [...Map.groupBy(await led(), ({ holder }) => processName(holder))];
    const leading = byName.map(([name, runs]) => ({ name, since: Math.min(...runs.map((run) => run.started_at)) }));
    return leading.toSorted((one, other) => one.since - other.since);
  }

  /** The last run of a sync that read its feed uninterrupted, and how long ago it began, in ms by the ledger's clock. */
  async function lastBegun(sync: string): Promise<{ run: string; agoMs: number; isOver: boolean } | undefined> {
    const row = await one<Pick<RunRow, 'id' | 'finished_at'> & { ago: number }>(db)`
      select id, finished_at, ${now} - started_at as ago from runs
      where sync = ${sync} and kind = 'run' and (error_code is null or error_code not in (${sql.join(BROKEN_OFF)}))
        and ${hasBegun(now)}
      order by started_at desc limit 1
    `;
    return row && { run: row.id, agoMs: row.ago, isOver: row.finished_at !== null };
  }

  /** The last run of a sync that applied its feed and has counted all records: no plan, no retry, no backfill of other days. */
  async function lastReading(sync: string): Promise<PastRun | undefined> {
    const rows = await newestFirst(sql`sync = ${sync} and ${appliesFeed} and finished_at is not null`, LOOKED_AT);
    return rows.map(toPast).find(({ hasRead }) => hasRead);
  }

  function newestFirst(condition: RawBuilder<unknown>, limit: number): Promise<ListedRow[]> {
    return all<ListedRow>(
      db,
    )`select ${columns} from runs where ${condition} order by started_at desc, id desc limit ${limit}`;
  }

  function toPast(row: ListedRow) {
    return toPastRun(row, runtime.now());
  }
}

/** The columns of `toPastRun`. */
const listedColumns = [
  ...(['id', 'sync', 'kind', 'status', 'started_at', 'finished_at', 'counts', 'complete', 'without_files'] as const),
  ...(['error_code', 'error_message', 'succeeded', 'lease_until', 'cancelled', 'fingerprint'] as const),
  ...(['asked_by', 'asked_via', 'undone_by', 'undone_partly'] as const),
] satisfies Array<keyof RunRow>;
const columns = sql.join(listedColumns.map((column) => sql.ref(`runs.${column}`)));

type ListedRow = Pick<RunRow, (typeof listedColumns)[number]>;

/**
 * Summary of a run. Times are ISO instants.
 * @param now in ms since 1970
 */
function toPastRun(row: ListedRow, now: number) {
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
    ...undoingIn(row),
  };
}

/** Whether all changes of a run were undone, or some of them, and by which run. */
function undoingIn({ undone_by: undoneBy, undone_partly }: ListedRow): {
  undone?: true;
  undonePartly?: true;
  undoneBy?: string;
} {
  if (undoneBy === null) return {};
  return undone_partly === 1 ? { undonePartly: true, undoneBy } : { undone: true, undoneBy };
}
