import { type Expression, type RawBuilder, sql } from 'kysely';
import type { RetentionConfig } from '../../config/types.ts';
import { draftOf, runOfDraft } from '../database/kept-as.ts';
import { leadingValues } from '../database/queries.ts';
import type { LedgerDatabase, LedgerTables, RunRow } from '../database/schema.ts';
import { all } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';

const KEPT_RUNS = 20;
const KEPT_READINGS = 50;
const DAY_MS = 86_400_000;
/** After this time, a plan on another machine counts as ended. */
const LONGEST_PLAN_MS = DAY_MS;

/** Rows of a table that have expired. */
export interface Expired {
  table: keyof LedgerTables;
  key: string[];
  /** A condition. */
  where: RawBuilder<unknown>;
}

/** Returns the rows to delete, in this order: runs go last, when no rows refer to them. */
export async function expiredRows(
  { runsMs, rejectsMs, filesMs }: RetentionConfig,
  database: LedgerDatabase,
): Promise<Expired[]> {
  const { now } = database;
  const { abandoned } = await plansAmong(sql`id in (${leadingValues('staged_changes', 'run')})`, database);
  const readings = await expiredReadings(rejectsMs, database);
  const ago = (ms: number) => sql`${now} - ${ms}`;
  const isAbandoned = isOneOf('id', abandoned);
  const isNewer = sql`newer.sync = runs.sync and (newer.started_at, newer.id) > (runs.started_at, runs.id)`;
  return [
    {
      // Runs delete their plans when they end, unless they are killed. A held run still needs its plan.
      table: 'staged_changes',
      key: ['run', 'key'],
      where: sql`run in (
        select id from runs where id in (${leadingValues('staged_changes', 'run')})
          and (status in ('success', 'partial', 'failed') or (status = 'held' and held_set is null) or ${isAbandoned})
      )`,
    },
    ...(await abandonedDrafts(database)),
    { table: 'rejections', key: ['run', 'seq'], where: sql`${isOneOf('run', readings)}` },
    {
      // The last success of a sync and its last target are kept.
      table: 'runs',
      key: ['id'],
      where: sql`started_at < ${ago(runsMs)} and coalesce(finished_at, started_at) < ${ago(runsMs)} and status <> 'running'
        and exists (select 1 from runs as newer where ${isNewer} limit 1 offset ${KEPT_RUNS - 1})
        and exists (
          select 1 from runs as newer where ${isNewer} and newer.kind = runs.kind and newer.status = runs.status
            and newer.succeeded = runs.succeeded and (newer.target is null) = (runs.target is null)
        )
        and not exists (select 1 from staged_changes where staged_changes.run = runs.id)
        and not exists (select 1 from rejections where rejections.run = runs.id)`,
    },
    {
      // Those that are about a run go with it.
      table: 'deeds',
      key: ['sync', 'deed', 'done_at'],
      where: sql`run is null and done_at < ${ago(runsMs)}`,
    },
    {
      // The last one is kept: it says since when none is running.
      table: 'schedulers',
      key: ['holder'],
      where: sql`seen_at < ${ago(runsMs)} and exists (select 1 from schedulers as newer where newer.seen_at > schedulers.seen_at)`,
    },
    {
      // Answers about places, series and pairs of records of several sources stay with these.
      table: 'answers',
      key: ['sync', 'about'],
      where: sql`answered_at < ${ago(runsMs)} and not exists (select 1 from members where members.sync = answers.sync)`,
    },
    {
      // Rejects that runs since then have not had.
      table: 'acknowledgements',
      key: ['sync', 'reject'],
      where: sql`used_at < ${ago(runsMs)} and reject is not null
        and (not exists (select 1 from records where records.sync = acknowledgements.sync)
          or exists (select 1 from runs where runs.sync = acknowledgements.sync and started_at > used_at + ${DAY_MS}))`,
    },
    {
      // What a source has lost long ago, and another source still has.
      table: 'members',
      key: ['sync', 'key'],
      where: sql`not exists (select 1 from runs where runs.id = members.read_in)
        and read_no < (select whole_no from readings where readings.sync = members.sync and readings.source = members.source)
        and exists (
          select 1 from members as others
          where others.sync = members.sync and others.cluster = members.cluster and others.key <> members.key)`,
    },
    { table: 'sessions', key: ['id_hash'], where: sql`until < ${now}` },
    { table: 'visits', key: ['person'], where: sql`seen_at < ${ago(runsMs)}` },
    { table: 'uploads', key: ['target', 'attribute', 'sha256'], where: sql`used_at < ${ago(filesMs)}` },
    { table: 'remote_files', key: ['location_hash'], where: sql`checked_at < ${ago(filesMs)}` },
    {
      // Alerts of syncs that no longer run, and problems that were over long ago.
      table: 'alerts',
      key: ['sync', 'kind', 'channel'],
      where: sql`resolved_at < ${ago(runsMs)} or (since < ${ago(runsMs)} and not exists (
        select 1 from runs where runs.sync = alerts.sync and started_at >= ${ago(runsMs)}
      ))`,
    },
    {
      table: 'sendings',
      key: ['sync', 'channel'],
      where: sql`coalesce(sent_at, 0) < ${ago(runsMs)} and coalesce(tested_at, 0) < ${ago(runsMs)}
        and coalesce(failed_at, 0) < ${ago(runsMs)}`,
    },
  ];
}

/** The plans among some runs that have not ended: those whose process has exited, and those under way. */
async function plansAmong(isOfThese: Expression<unknown>, { db, now, runtime }: LedgerDatabase) {
  const plans = await all<Pick<RunRow, 'id' | 'holder'> & { lapsed: number }>(db)`
    select id, holder, case when started_at < ${now} - ${LONGEST_PLAN_MS} then 1 else 0 end as lapsed
    from runs where status = 'planned' and ${isOfThese}
  `;
  const isAbandoned = ({ holder, lapsed }: (typeof plans)[number]) => lapsed === 1 || runtime.isGone(holder);
  const { abandoned = [], underWay = [] } = Object.groupBy(plans, (plan) =>
    isAbandoned(plan) ? 'abandoned' : 'underWay',
  );
  return { abandoned: abandoned.map(({ id }) => id), underWay: underWay.map(({ id }) => id) };
}

/** Plans delete their drafts when they end, unless they are killed. */
async function abandonedDrafts(database: LedgerDatabase): Promise<Expired[]> {
  const tables = ['members', 'readings', 'answers'] as const;
  const names = await Promise.all(
    tables.map((table) => all<{ value: string }>(database.db)`${leadingValues(table, 'sync')}`),
  );
  const runs = new Set(names.flat().flatMap(({ value }) => runOfDraft(value) ?? []));
  if (runs.size === 0) return [];
  const { underWay } = await plansAmong(isOneOf('id', [...runs]), database);
  const left = [...runs].filter((run) => !underWay.includes(run)).map(draftOf);
  if (left.length === 0) return [];
  const keys = { members: ['sync', 'key'], readings: ['sync', 'source'], answers: ['sync', 'about'] };
  return tables.map((table) => ({ table, key: keys[table], where: sql`${isOneOf('sync', left)}` }));
}

/** Runs whose rejections have expired. Looked up only once, because the look-up takes longer than deleting some rejections. */
async function expiredReadings(rejectsMs: number, { db, now }: LedgerDatabase): Promise<string[]> {
  const rows = await all<{ id: string }>(db)`
    select id from (
      select id, started_at, row_number() over (partition by sync order by started_at desc, id desc) as place,
        row_number() over (partition by sync, started_at / ${sql.lit(DAY_MS)} order by started_at desc, id desc) as place_in_day
      from runs where id in (${leadingValues('rejections', 'run')})
    ) as readings
    where (place > ${KEPT_READINGS} and place_in_day > 1) or (place > 1 and started_at < ${now} - ${rejectsMs})
  `;
  return rows.map(({ id }) => id);
}
