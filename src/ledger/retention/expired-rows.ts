import { type RawBuilder, sql } from 'kysely';
import type { RetentionConfig } from '../../config/types.ts';
import type { LedgerDatabase, LedgerTables } from '../database/schema.ts';

const KEPT_RUNS = 20;
const KEPT_READINGS = 50;

/** Rows of a table that are kept no longer. */
export interface Expired {
  table: keyof LedgerTables;
  key: string[];
  /** A query for their keys, to be followed by `limit`. */
  rows: RawBuilder<unknown>;
}

/** What is to be forgotten, in this order: a run goes when nothing hangs on it any more. */
export function expiredRows(
  { runsMs, rejectsMs, filesMs }: RetentionConfig,
  { now, abandonedPlans }: Pick<LedgerDatabase, 'now'> & { abandonedPlans: readonly string[] },
): Expired[] {
  const ago = (ms: number) => sql`${now} - ${ms}`;
  const isAbandoned = abandonedPlans.length > 0 ? sql`or id in (${sql.join(abandonedPlans)})` : sql``;
  return [
    {
      // Runs discard it themselves when they end, unless they are killed; what is held still needs it.
      table: 'staged_changes',
      key: ['run', 'key'],
      rows: sql`
        select run, key from staged_changes where run in (
          select id from runs
          where status in ('success', 'partial', 'failed') or (status = 'held' and held_set is null) ${isAbandoned}
        )`,
    },
    {
      // Of backfills that nobody has gone on with.
      table: 'backfill_work',
      key: ['backfill', 'key'],
      rows: sql`
        select backfill, key from backfill_work
        where backfill in (select run from backfills where lease_until < ${ago(runsMs)})`,
    },
    {
      table: 'backfills',
      key: ['run'],
      rows: sql`
        select run from backfills
        where lease_until < ${ago(runsMs)}
          and not exists (select 1 from backfill_work where backfill_work.backfill = backfills.run)`,
    },
    {
      table: 'rejections',
      key: ['run', 'seq'],
      rows: sql`
        select run, seq from rejections where run in (
          select id from (
            select id, started_at, row_number() over (partition by sync order by started_at desc, id desc) as place
            from runs where exists (select 1 from rejections where rejections.run = runs.id)
          ) as readings
          where place > ${KEPT_READINGS} or (place > 1 and started_at < ${ago(rejectsMs)})
        )`,
    },
    {
      // When a sync last succeeded, and to where it last delivered, stays known.
      table: 'runs',
      key: ['id'],
      rows: sql`
        select id from (
          select id, part_of, status, started_at, finished_at,
            row_number() over (partition by sync order by started_at desc, id desc) as place,
            row_number() over (
              partition by sync, kind, status, case when target is null then 0 else 1 end
              order by started_at desc, id desc
            ) as place_of_its_like
          from runs
        ) as placed
        where place > ${KEPT_RUNS} and place_of_its_like > 1
          and status <> 'running' and coalesce(finished_at, started_at) < ${ago(runsMs)}
          and not exists (select 1 from staged_changes where staged_changes.run = placed.id)
          and not exists (select 1 from backfills where backfills.run in (placed.id, placed.part_of))
          and not exists (select 1 from rejections where rejections.run = placed.id)`,
    },
    {
      table: 'uploads',
      key: ['target', 'attribute', 'sha256'],
      rows: sql`select target, attribute, sha256 from uploads where used_at < ${ago(filesMs)}`,
    },
    {
      table: 'remote_files',
      key: ['location_hash'],
      rows: sql`select location_hash from remote_files where checked_at < ${ago(filesMs)}`,
    },
    {
      // Of syncs that nobody runs any more, and what has long been over.
      table: 'alerts',
      key: ['sync', 'kind', 'channel'],
      rows: sql`
        select sync, kind, channel from alerts
        where resolved_at < ${ago(runsMs)} or (since < ${ago(runsMs)} and not exists (
          select 1 from runs where runs.sync = alerts.sync and started_at >= ${ago(runsMs)}
        ))`,
    },
  ];
}
