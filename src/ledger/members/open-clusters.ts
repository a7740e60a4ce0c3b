import { sql } from 'kysely';
import type { DayRange } from '../../core/dates/iso-date.ts';
import type { Payload } from '../../core/record.ts';
import { isAsDesired } from '../database/conditions.ts';
import type { KeptAs } from '../database/kept-as.ts';
import type { LedgerDatabase } from '../database/schema.ts';
import type { StagedAttachment } from '../records/claimed-record.ts';

/** What a cluster is published as. */
export interface PublishedCluster {
  /** What its sources wanted last. */
  payload: Payload;
  /** The attributes for which they had files. */
  files: string[];
  /** Attribute → the source that gave its value; '' → the source that published the record. */
  givenBy: Readonly<Record<string, string>>;
}

/** The clusters that a run has to merge, because they may have changed. */
export function createClusterStore({ db }: LedgerDatabase, keptAs: KeptAs) {
  return { stageQuiet, openClusters, published, countClustered };

  /**
   * Stages the clusters of one member that are in the CMS as their source has them. These are most clusters of most runs, so one
   * statement stages them all.
   * @param windows for each source, the days outside of which its records are skipped
   * @param options.readOnly leaves out what the run has not read
   */
  async function stageQuiet(
    run: string,
    sync: string,
    windows: ReadonlyMap<string, DayRange>,
    { readOnly }: { readOnly: boolean },
  ): Promise<void> {
    const isIn = [...windows].map(([source, window]) => sql`when ${source} then ${isBetween(window)}`);
    const isInWindow = sql`case members.source ${sql.join(isIn, sql` `)} else 1 = 1 end`;
    await sql`
      insert into staged_changes (run, op, key, place)
      select cast(${run} as text), case when ${isInWindow} then 'unchanged' else 'skipped' end, records.key, records.place
      from members join records on records.sync = ${sync} and records.key = members.cluster
      where members.sync = ${keptAs(sync)} and members.state is null and ${isRead(run, readOnly)}
        and records.source_hash = members.source_hash and ${isAsDesired}
        and members.read_no >= (
          select whole_no from readings where readings.sync = members.sync and readings.source = members.source)
        and not exists (
          select 1 from members as others
          where others.sync = members.sync and others.cluster = members.cluster and others.key <> members.key)
    `.execute(db);
  }

  /** Returns the clusters, after one of them, that the run has not staged. */
  async function openClusters(
    run: string,
    sync: string,
    { after, limit, readOnly }: { after: string; limit: number; readOnly: boolean },
  ): Promise<string[]> {
    const { rows } = await sql<{ cluster: string }>`
      select distinct cluster from members
      where sync = ${keptAs(sync)} and cluster > ${after} and ${isRead(run, readOnly)} and not exists (
        select 1 from staged_changes where staged_changes.run = ${run} and staged_changes.key = members.cluster)
      order by cluster limit ${limit}
    `.execute(db);
    return rows.map(({ cluster }) => cluster);
  }

  /** Returns what these clusters are published as; absent: not published yet. */
  async function published(sync: string, clusters: readonly string[]): Promise<Map<string, PublishedCluster>> {
    if (clusters.length === 0) return new Map();
    const rows = await db
      .selectFrom('records')
      .select(['key', 'desired', 'attachments', 'given_by'])
      .select(formerSource(keptAs(sync)).as('former'))
      .where('sync', '=', sync)
      .where('key', 'in', clusters)
      .execute();
    return new Map(
      rows.map(({ key, desired, attachments, given_by, former }) => [
        key,
        {
          payload: JSON.parse(desired) as Payload,
          files: (JSON.parse(attachments) as StagedAttachment[]).map(({ attribute }) => attribute),
          givenBy:
            given_by === null ? { '': former ?? sourceOf(key) } : (JSON.parse(given_by) as PublishedCluster['givenBy']),
        },
      ]),
    );
  }

  /** How many members each source has in clusters. */
  async function countClustered(sync: string): Promise<Map<string, number>> {
    const rows = await db
      .selectFrom('members')
      .select(({ fn }) => ['source', fn.countAll<number>().as('members')])
      .where('sync', '=', keptAs(sync))
      .where('cluster', 'is not', null)
      .groupBy('source')
      .execute();
    return new Map(rows.map(({ source, members }) => [source, members]));
  }
}

/** Whether a run has read a member, if that matters. */
function isRead(run: string, matters: boolean) {
  return matters ? sql`members.read_in = ${run}` : sql`1 = 1`;
}

/** Whether a member is on some of these days. */
function isBetween({ from, to }: DayRange) {
  return sql`(${from === undefined ? sql`1 = 1` : sql`coalesce(members.ends_on, ${from}) >= ${from}`}
    and ${to === undefined ? sql`1 = 1` : sql`coalesce(members.starts_on, ${to}) <= ${to}`})`;
}

/** The source of a record that the sync has published before it had several. */
function formerSource(sync: string) {
  return sql<string | null>`(
    select source from members
    where members.sync = ${sync} and members.cluster = records.key and members.key = members.source || '/' || records.key
  )`;
}

/** A record that its source has published alone has the key of its member. */
function sourceOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}
