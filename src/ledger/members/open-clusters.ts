import { sql } from 'kysely';
import type { DayRange } from '../../core/dates/iso-date.ts';
import type { Occurrence, Payload } from '../../core/record.ts';
import { isAsDesired, mayHaveItem } from '../database/conditions.ts';
import { type DeliveredColumns, deliveredIn } from '../database/item-state.ts';
import type { KeptAs } from '../database/kept-as.ts';
import type { LedgerDatabase, RecordContents } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { toOccurrence } from '../plans/adoptions.ts';
import type { StagedAttachment } from '../records/claimed-record.ts';
import { isShared } from './members.ts';

/** What a cluster is published as. */
export interface PublishedCluster {
  /** What its sources wanted last. */
  payload: Payload;
  /** The attributes for which they had files. */
  files: string[];
  /** Attribute → the source that gave its value; '' → the source that published the record. */
  givenBy: Readonly<Record<string, string>>;
}

/** A record of a sync that no source has given: the sync had one source then. */
export interface OwnRecord {
  key: string;
  place: string;
  payload: Payload;
  /** JSON */
  attachments: string;
  occurrence?: Occurrence;
}

/** The clusters that a run has to merge, because they may have changed. */
export function createClusterStore({ db }: LedgerDatabase, keptAs: KeptAs) {
  return { stageQuiet, openClusters, published, countClustered, recordsOfNoSource };

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
    await change(db)`
      insert into staged_changes (run, op, key, place)
      select cast(${run} as text), case when ${isInWindow} then 'unchanged' else 'skipped' end, records.key, records.place
      from members join records on records.sync = ${sync} and records.key = members.cluster
      where members.sync = ${keptAs(sync)} and members.state is null and ${isRead(run, readOnly)}
        and records.source_hash = members.source_hash and ${isAsDesired}
        and members.read_no >= (
          select whole_no from readings where readings.sync = members.sync and readings.source = members.source)
        and not ${isShared}
    `;
  }

  /** Returns the clusters, after one of them, that the run has not staged. */
  async function openClusters(
    run: string,
    sync: string,
    { after, limit, readOnly }: { after: string; limit: number; readOnly: boolean },
  ): Promise<string[]> {
    const rows = await all<{ cluster: string }>(db)`
      select distinct cluster from members
      where sync = ${keptAs(sync)} and cluster > ${after} and ${isRead(run, readOnly)} and not exists (
        select 1 from staged_changes where staged_changes.run = ${run} and staged_changes.key = members.cluster)
      order by cluster limit ${limit}
    `;
    return rows.map(({ cluster }) => cluster);
  }

  /** Returns what these clusters are published as; absent: not published yet. */
  async function published(sync: string, clusters: readonly string[]): Promise<Map<string, PublishedCluster>> {
    // The source of a record that the sync has published before it had several.
    const rows = await all<PublishedRow>(db)`
      select key, desired, attachments, given_by, (
        select source from members where members.sync = ${keptAs(sync)} and members.cluster = records.key
          and members.key = members.source || '/' || records.key
      ) as former
      from record_contents as records where sync = ${sync} and ${isOneOf('key', clusters)}
    `;
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
    const rows = await all<{ source: string; members: number }>(db)`
      select source, count(*) as members from members
      where sync = ${keptAs(sync)} and cluster is not null group by source
    `;
    return new Map(rows.map(({ source, members }) => [source, members]));
  }

  /** Returns the records that have items and do not belong to any of these sources. */
  async function recordsOfNoSource(sync: string, sources: readonly string[]): Promise<OwnRecord[]> {
    const isNamed = sources.map((source) => sql`substr(records.key, 1, ${source.length + 1}) = ${`${source}/`}`);
    const rows = await all<OwnRow>(db)`
      select key, place, desired, delivered, item, attachments, series, slot from record_contents as records
      where sync = ${sync} and ${mayHaveItem} and not (${sql.join(isNamed, sql` or `)})
        and not exists (select 1 from members where members.sync = ${keptAs(sync)} and members.cluster = records.key)
      order by key
    `;
    return rows.map(({ key, place, desired, attachments, ...row }) => ({
      ...{ key, place, attachments },
      payload: { ...deliveredIn(row), ...JSON.parse(desired) } as Payload,
      ...toOccurrence(row),
    }));
  }
}

type PublishedRow = Pick<RecordContents, 'key' | 'desired' | 'attachments' | 'given_by'> & { former: string | null };
type OwnRow = Pick<RecordContents, 'key' | 'place' | 'desired' | 'attachments' | 'series' | 'slot'> & DeliveredColumns;

/** Whether a run has read a member, if that matters. */
function isRead(run: string, matters: boolean) {
  return matters ? sql`members.read_in = ${run}` : sql`1 = 1`;
}

/** Whether a member is on some of these days. */
function isBetween({ from, to }: DayRange) {
  return sql`(${from === undefined ? sql`1 = 1` : sql`coalesce(members.ends_on, ${from}) >= ${from}`}
    and ${to === undefined ? sql`1 = 1` : sql`coalesce(members.starts_on, ${to}) <= ${to}`})`;
}

/** A record that its source has published alone has the key of its member. */
function sourceOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}
