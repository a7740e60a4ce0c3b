import { type Selectable, sql } from 'kysely';
import type { Attachment, Occurrence, Payload } from '../../core/record.ts';
import { mayHaveItem } from '../database/conditions.ts';
import type { KeptAs } from '../database/kept-as.ts';
import { countRows, hasRows } from '../database/queries.ts';
import type { LedgerDatabase, MembersTable } from '../database/schema.ts';
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
    membersOfEvents,
    membersOf,
    membersNamed,
    newMembers,
    missedMembers,
    occurrencesSeen,
    countFresh,
    sourcesOfClusters,
    sharedClusters,
    forgetMembers,
    forgetShared,
    mayLeave,
  };

  /** Returns the hashes, after one of them, of the events that have members without a cluster. */
  async function undecidedEvents(sync: string, after: string, limit: number): Promise<string[]> {
    const rows = await db
      .selectFrom('members')
      .select('event_hash')
      .distinct()
      .where('sync', '=', keptAs(sync))
      .where('cluster', 'is', null)
      .where('event_hash', '>', after)
      .orderBy('event_hash')
      .limit(limit)
      .execute();
    return rows.map(({ event_hash }) => event_hash);
  }

  async function membersOfEvents(sync: string, hashes: readonly string[]): Promise<Member[]> {
    if (hashes.length === 0) return [];
    return toMembers(sync, await select(sync).where('event_hash', 'in', hashes).execute());
  }

  async function membersOf(sync: string, clusters: readonly string[]): Promise<Member[]> {
    if (clusters.length === 0) return [];
    return toMembers(sync, await select(sync).where('cluster', 'in', clusters).execute());
  }

  /** Returns those of the keys that are keys of members, as members. */
  async function membersNamed(sync: string, keys: readonly string[]): Promise<Member[]> {
    if (keys.length === 0) return [];
    return toMembers(sync, await select(sync).where('key', 'in', keys).execute());
  }

  /** The members that the reading of a source with this number has had, that are in no cluster and have no items under their own keys. */
  async function newMembers(sync: string, source: string, readNo: number): Promise<Member[]> {
    // Another member may be published as the record that has the key: the source has changed its keys, and changed them back.
    const own = sql`
      select 1 from records where records.sync = ${sync} and records.key = members.key and ${mayHaveItem}
        and not exists (select 1 from members as holder where holder.sync = members.sync and holder.cluster = members.key)`;
    const fresh = select(sync)
      .where('source', '=', source)
      .where('cluster', 'is', null)
      .where('read_no', '>=', readNo)
      .where(sql<boolean>`not exists (${own})`);
    return toMembers(sync, await fresh.execute());
  }

  /** The members that the complete reading with this number did not have. */
  async function missedMembers(sync: string, source: string, readNo: number): Promise<Member[]> {
    return toMembers(sync, await select(sync).where('source', '=', source).where('read_no', '<', readNo).execute());
  }

  /** The occurrences that a reading of a source has had, and that have clusters: their keys did not change. */
  async function occurrencesSeen(sync: string, source: string, readNo: number): Promise<Occurrence[]> {
    const rows = await db
      .selectFrom('members')
      .select(['series', 'slot'])
      .where('sync', '=', keptAs(sync))
      .where('source', '=', source)
      .where('read_no', '>=', readNo)
      .where('cluster', 'is not', null)
      .where('series', 'is not', null)
      .execute();
    return rows.flatMap((row) => toOccurrence(row).occurrence ?? []);
  }

  /** How many members of a sync are in no cluster, and how many records it has. */
  async function countFresh(sync: string): Promise<{ fresh: number; known: number }> {
    const fresh = await countRows(
      db.selectFrom('members').where('sync', '=', keptAs(sync)).where('cluster', 'is', null),
    );
    const known = await countRows(db.selectFrom('records').where('sync', '=', sync));
    return { fresh, known };
  }

  /** The sources of all members of some clusters. */
  async function sourcesOfClusters(sync: string, clusters: readonly string[]): Promise<Map<string, Set<string>>> {
    const found = new Map<string, Set<string>>();
    if (clusters.length === 0) return found;
    const rows = await db
      .selectFrom('members')
      .select(['cluster', 'source'])
      .where('sync', '=', keptAs(sync))
      .where('cluster', 'in', clusters)
      .execute();
    for (const { cluster, source } of rows) {
      if (cluster !== null) found.set(cluster, (found.get(cluster) ?? new Set()).add(source));
    }
    return found;
  }

  /** The clusters, after one of them, that have several members. */
  async function sharedClusters(sync: string, after: string, limit: number): Promise<string[]> {
    const { rows } = await sql<{ cluster: string }>`
      select cluster from members where sync = ${keptAs(sync)} and cluster > ${after}
      group by cluster having count(*) > 1 order by cluster limit ${limit}
    `.execute(db);
    return rows.map(({ cluster }) => cluster);
  }

  /** Forgets members of a source that have no cluster, and that its reading with this number did not have. */
  async function forgetMembers(sync: string, source: string, readNo: number): Promise<void> {
    await db
      .deleteFrom('members')
      .where('sync', '=', keptAs(sync))
      .where('source', '=', source)
      .where('cluster', 'is', null)
      .where('read_no', '<', readNo)
      .execute();
  }

  /** Forgets those of the members whose records other sources have, too. */
  async function forgetShared(sync: string, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const isShared = sql<boolean>`exists (
      select 1 from members as others
      where others.sync = members.sync and others.cluster = members.cluster and others.key <> members.key)`;
    await db.deleteFrom('members').where('sync', '=', keptAs(sync)).where('key', 'in', keys).where(isShared).execute();
  }

  /** Whether further complete readings of a source may show that it has lost members that are on these days. */
  async function mayLeave(
    sync: string,
    source: string,
    { runs, from = '' }: { runs: number; from?: string },
  ): Promise<boolean> {
    const wholes = (await wholeReadings(keptAs(sync), db)).get(source) ?? [];
    const [last] = wholes;
    if (!last) return false;
    return hasRows(
      db
        .selectFrom('members')
        .where('sync', '=', keptAs(sync))
        .where('source', '=', source)
        .where('cluster', 'is not', null)
        .where('read_no', '<', last.number)
        .where('read_no', '>=', wholes[runs - 1]?.number ?? 0)
        .where(sql<boolean>`coalesce(ends_on, starts_on, ${from}) >= ${from}`),
    );
  }

  function select(sync: string) {
    return db.selectFrom('members').selectAll().where('sync', '=', keptAs(sync)).orderBy('key');
  }

  async function toMembers(sync: string, rows: ReadonlyArray<Selectable<MembersTable>>): Promise<Member[]> {
    if (rows.length === 0) return [];
    const wholes = await wholeReadings(keptAs(sync), db);
    return rows.map((row) => toMember(row, wholes.get(row.source) ?? []));
  }
}

/** @param wholes the complete readings of its source, the newest first */
function toMember(row: Selectable<MembersTable>, wholes: readonly WholeReading[]): Member {
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

function occurrenceOf(row: Selectable<MembersTable>): Pick<Member, 'occurrence'> {
  const { occurrence } = toOccurrence(row);
  return occurrence ? { occurrence: { ...occurrence, ...(row.repeats === 1 && { repeats: true }) } } : {};
}
