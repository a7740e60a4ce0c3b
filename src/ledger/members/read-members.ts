import { type RawBuilder, sql } from 'kysely';
import type { KeptAs } from '../database/kept-as.ts';
import type { LedgerDatabase, MembersTable } from '../database/schema.ts';
import { all, change } from '../database/statements.ts';
import { isOneOf } from '../database/value-lists.ts';
import type { AlreadyStaged, Source } from '../plans/staged-plan.ts';

/** A member that a run has read and mapped. */
export type ReadMember = Omit<MembersTable, 'sync' | 'cluster' | 'covered_in' | 'astray_no' | 'state'>;

/** Where and when a member was read. */
export type MemberSighting = Pick<MembersTable, 'key' | 'place' | 'read_in' | 'read_no' | 'read_hash'>;

const WRITTEN = [
  ...['place', 'payload', 'attachments', 'source_hash', 'event_hash', 'starts_on', 'ends_on', 'series', 'slot'],
  ...['repeats', 'read_in', 'read_hash'],
];

/** The higher of two numbers of readings: readings may overlap. */
function later(one: RawBuilder<unknown>, other: RawBuilder<unknown>) {
  return sql`case when ${one} > ${other} then ${one} else ${other} end`;
}

/** What a reading of a source says of its members. */
export function createMemberReading({ db, forRows, unsynced }: LedgerDatabase, keptAs: KeptAs) {
  return { unchangedMembers, alreadyRead, putMembers, sightMembers, setStates };

  /** Returns the members that these sources still describe, by their keys. */
  async function unchangedMembers(sync: string, sources: readonly Source[]) {
    const hashes = new Map(sources.map(({ key, source_hash }) => [key, source_hash]));
    const rows = await all<Pick<MembersTable, 'key' | 'source_hash' | 'starts_on' | 'ends_on'>>(db)`
      select key, source_hash, starts_on, ends_on from members
      where sync = ${keptAs(sync)} and state is null and ${isOneOf('key', [...hashes.keys()])}
    `;
    return new Map(rows.flatMap((row) => (row.source_hash === hashes.get(row.key) ? [[row.key, row]] : [])));
  }

  /** Returns those of the keys that a run has read already. */
  async function alreadyRead(run: string, sync: string, keys: readonly string[]): Promise<AlreadyStaged[]> {
    const rows = await all<Pick<MembersTable, 'key' | 'place' | 'read_hash' | 'state'>>(db)`
      select key, place, read_hash, state from members
      where sync = ${keptAs(sync)} and ${isOneOf('key', keys)} and read_in = ${run}
    `;
    return rows.map(({ state, ...row }) => ({ ...row, op: state === null ? 'unchanged' : 'rejected' }));
  }

  /** Adds members, or replaces their values. Their clusters stay. */
  async function putMembers(sync: string, rows: readonly ReadMember[]): Promise<void> {
    if (rows.length === 0) return;
    const names = ['key', 'source', 'read_no', ...WRITTEN];
    const columns = sql.join(names.map((name) => sql.ref(name)));
    const replaced = sql.join(WRITTEN.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`));
    const readNo = later(sql`members.read_no`, sql`excluded.read_no`);
    await unsynced((transaction) =>
      forRows(
        transaction,
        rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name as keyof ReadMember]]))),
        (table) => sql`
          insert into members (sync, ${columns}) select ${sql.lit(keptAs(sync))}, ${columns} from ${table} as read where true
          on conflict (sync, key) do update set ${replaced}, read_no = ${readNo}, state = null`,
        ['read_no', 'repeats'],
      ),
    );
  }

  /** Notes that members were read, as they are known. */
  async function sightMembers(sync: string, rows: readonly MemberSighting[]): Promise<void> {
    await unsynced((transaction) =>
      forRows(
        transaction,
        rows.map((row) => ({ ...row })),
        (table) => sql`
          update members set place = read.place, read_in = read.read_in, read_no = ${later(sql`members.read_no`, sql`read.read_no`)}, read_hash = read.read_hash
          from ${table} as read where members.sync = ${sql.lit(keptAs(sync))} and members.key = read.key`,
        ['read_no'],
      ),
    );
  }

  /**
   * Notes why these members are not to be published as the source has them now. What was withdrawn, or deleted, stays so while the
   * source has it wrongly.
   */
  async function setStates(sync: string, keys: readonly string[], state: NonNullable<MembersTable['state']>) {
    if (keys.length === 0) return;
    const isUnusable = state === 'rejected' || state === 'duplicate';
    await change(db)`
      update members set state = ${state}, source_hash = null
      where sync = ${keptAs(sync)} and ${isOneOf('key', keys)}
        ${isUnusable ? sql`and coalesce(state, 'rejected') in ('rejected', 'duplicate')` : sql``}
    `;
  }
}
