import { type RawBuilder, sql } from 'kysely';
import type { Attachment, Occurrence, Payload } from '../../core/record.ts';
import { mayHaveItem } from '../database/conditions.ts';
import type { KeptAs } from '../database/kept-as.ts';
import type { LedgerDatabase, MembersTable } from '../database/schema.ts';
import { all, change, exists, only } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import { toOccurrence } from '../plans/adoptions.ts';
import { type WholeReading, wholeReadings } from './readings.ts';

/** A record of a source, as its last reading has it. */
export interface Member {
  /** SOURCE/KEY */
  key: string;
  source: string;
  /** Key of the record that it is published as; absent: not decided yet. */
  cluster?: string;
  place: string;
  payload: Payload;
  attachments: Attachment[];
  /** Number of the last reading that has had it. */
  readNo: number;
  /** Absent: the mapping of the record may have another result next time. */
  sourceHash?: string;
  /** Equal for members that may be the same event. */
  eventHash: string;
  occurrence?: Occurrence;
  /** How many complete readings of its source have not had it since; 0: the source has it. */
  missedReadings: number;
  /** When the first of them was, in ms since 1970. */
  missedSince?: number;
  /** Since when it has not been the event that its cluster is published as; absent: it is. */
  astray?: Astray;
  /** Why it is not to be published as the source has it now. */
  state?: NonNullable<MembersTable['state']>;
}

/** How long a member has been another event than its cluster. */
interface Astray {
  /** In complete readings of its source, including the first one. */
  readings: number;
  /** From the first to the last of these readings. */
  ms: number;
}

/** The records of the sources of syncs that have several. */
export function createMemberStore({ db }: LedgerDatabase, keptAs: KeptAs) {
  return {
    undecidedEvents,
    membersBy,
    newMembers,
    missedMembers,
    occurrencesSeen,
    countFresh,
    sourcesOfClusters,
    sharedClusters,
    forgetMembers,
    forgetShared,
    mayChange,
  };

  /** Returns the hashes, after one of them, of the events that have members without a cluster. */
  async function undecidedEvents(sync: string, after: string, limit: number): Promise<string[]> {
    const rows = await all<Pick<MembersTable, 'event_hash'>>(db)`
      select distinct event_hash from members
      where sync = ${keptAs(sync)} and cluster is null and event_hash > ${after} order by event_hash limit ${limit}
    `;
    return rows.map(({ event_hash }) => event_hash);
  }

  /** Returns the members with these keys, clusters or events, in the order of their keys. */
  async function membersBy(
    column: 'key' | 'cluster' | 'event_hash',
    sync: string,
    values: readonly string[],
  ): Promise<Member[]> {
    if (values.length === 0) return [];
    return select(sync, sql`${isOneOf(column, values)}`);
  }

  /** The members that readings of a source have had, from this number on, that are in no cluster and have no items under their own keys. */
  function newMembers(sync: string, source: string, readNo: number): Promise<Member[]> {
    // Another member may be published as the record that has the key: the source has changed its keys, and changed them back.
    return select(
      sync,
      sql`source = ${source} and cluster is null and read_no >= ${readNo} and not exists (
        select 1 from records where records.sync = ${sync} and records.key = members.key and ${mayHaveItem}
          and not exists (
            select 1 from members as holder where holder.sync = members.sync and holder.cluster = members.key
          )
      )`,
    );
  }

  /** The members that no reading from this number on has had. */
  function missedMembers(sync: string, source: string, readNo: number): Promise<Member[]> {
    return select(sync, sql`source = ${source} and read_no < ${readNo}`);
  }

  async function select(sync: string, condition: RawBuilder<unknown>): Promise<Member[]> {
    const rows = await all<MembersTable>(db)`
      select * from members where sync = ${keptAs(sync)} and ${condition} order by key
    `;
    if (rows.length === 0) return [];
    const wholes = await wholeReadings(keptAs(sync), db);
    return rows.map((row) => toMember(row, wholes.get(row.source) ?? []));
  }

  /** The occurrences that a reading of a source has had, and that have clusters: their keys did not change. */
  async function occurrencesSeen(sync: string, source: string, readNo: number): Promise<Occurrence[]> {
    const rows = await all<Pick<MembersTable, 'series' | 'slot'>>(db)`
      select series, slot from members
      where sync = ${keptAs(sync)} and source = ${source} and read_no >= ${readNo}
        and cluster is not null and series is not null
    `;
    return rows.flatMap((row) => toOccurrence(row).occurrence ?? []);
  }

  /** How many members of a sync are in no cluster, and how many records it has. */
  function countFresh(sync: string): Promise<{ fresh: number; known: number }> {
    return only<{ fresh: number; known: number }>(db)`
      select
        (select count(*) from members where sync = ${keptAs(sync)} and cluster is null) as fresh,
        (select count(*) from records where sync = ${sync}) as known
    `;
  }

  /** The sources of all members of some clusters. */
  async function sourcesOfClusters(sync: string, clusters: readonly string[]): Promise<Map<string, Set<string>>> {
    if (clusters.length === 0) return new Map();
    const rows = await all<{ cluster: string; source: string }>(db)`
      select distinct cluster, source from members where sync = ${keptAs(sync)} and ${isOneOf('cluster', clusters)}
    `;
    const byCluster = Map.groupBy(rows, ({ cluster }) => cluster);
    return new Map([...byCluster].map(([cluster, own]) => [cluster, new Set(own.map(({ source }) => source))]));
  }

  /** The clusters, after one of them, that have several members. */
  async function sharedClusters(sync: string, after: string, limit: number): Promise<string[]> {
    const rows = await all<{ cluster: string }>(db)`
      select cluster from members where sync = ${keptAs(sync)} and cluster > ${after}
      group by cluster having count(*) > 1 order by cluster limit ${limit}
    `;
    return rows.map(({ cluster }) => cluster);
  }

  /** Forgets members of a source that have no cluster, and that its reading with this number did not have. */
  async function forgetMembers(sync: string, source: string, readNo: number): Promise<void> {
    await change(db)`
      delete from members
      where sync = ${keptAs(sync)} and source = ${source} and cluster is null and read_no < ${readNo}
    `;
  }

  /** Forgets those of the members whose records other sources have, too. */
  async function forgetShared(sync: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await change(db)`
      delete from members where sync = ${keptAs(sync)} and ${isOneOf('key', keys)} and ${isShared}
    `;
  }

  /**
   * Whether further complete readings of a source, which read the same, may show that it has lost members, or that members are other events.
   * @param runs after so many complete readings
   * @param from the first day on which members may be lost; absent: they are not lost
   */
  async function mayChange(
    sync: string,
    source: string,
    { runs, from }: { runs: number; from?: string | undefined },
  ): Promise<boolean> {
    const wholes = (await wholeReadings(keptAs(sync), db)).get(source) ?? [];
    const since = wholes[runs - 1]?.number ?? 0;
    const isLost = sql`cluster is not null and read_no < ${wholes[0]?.number ?? 0} and read_no >= ${since}
      and coalesce(ends_on, starts_on, ${from ?? ''}) >= ${from ?? ''}`;
    return exists(db)`
      select 1 from members
      where sync = ${keptAs(sync)} and source = ${source}
        and (astray_no > ${since} ${from === undefined ? sql`` : sql`or ${isLost}`})
    `;
  }
}

/** Of members: other members are published as the same record. */
export const isShared = sql`exists (
  select 1 from members as others
  where others.sync = members.sync and others.cluster = members.cluster and others.key <> members.key
)`;

/** @param wholes the complete readings of its source, the newest first */
function toMember(row: MembersTable, wholes: readonly WholeReading[]): Member {
  const seen = wholes.findIndex(({ number }) => number <= row.read_no);
  const missedReadings = seen === -1 ? wholes.length : seen;
  // Older readings than those that are remembered were long ago.
  const missedSince = wholes[missedReadings - 1]?.at;
  return {
    key: row.key,
    source: row.source,
    ...(row.cluster === null ? {} : { cluster: row.cluster }),
    place: row.place,
    payload: JSON.parse(row.payload) as Payload,
    attachments: JSON.parse(row.attachments) as Attachment[],
    readNo: row.read_no,
    ...(row.source_hash === null ? {} : { sourceHash: row.source_hash }),
    eventHash: row.event_hash,
    ...occurrenceOf(row),
    missedReadings,
    ...(missedReadings === 0 || missedSince === undefined ? {} : { missedSince }),
    ...(row.astray_no === null ? {} : { astray: astrayFor(row.astray_no, wholes) }),
    ...(row.state === null ? {} : { state: row.state }),
  };
}

function astrayFor(firstNo: number, wholes: readonly WholeReading[]): Astray {
  const since = wholes.filter(({ number }) => number >= firstNo);
  return { readings: since.length, ms: (since[0]?.at ?? 0) - (since.at(-1)?.at ?? 0) };
}

function occurrenceOf(row: MembersTable): Pick<Member, 'occurrence'> {
  const { occurrence } = toOccurrence(row);
  return occurrence ? { occurrence: { ...occurrence, ...(row.repeats === 1 && { repeats: true }) } } : {};
}
