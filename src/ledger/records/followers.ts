import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { LedgerTables } from '../database/schema.ts';
import { move, rekeyed } from './transitions.ts';

type TableWithKeys = {
  [Table in keyof LedgerTables]: 'key' extends keyof LedgerTables[Table] ? Table : never;
}[keyof LedgerTables];

/**
 * What becomes of the rows of each table with keys if their record gets another key, or its sync another name. `follows`: the rows
 * have the sync and the key of the record, and get the new ones here. The others say where they get them, or why they do not.
 */
export const keyTables: Readonly<Record<TableWithKeys, string>> = {
  attempts: 'follows',
  answers: 'follows',
  differences: 'follows',
  records: 'is the record',
  search_entries: 'kept by the triggers of `records`',
  members: 'have the keys of sources, which change with their readings; the sync follows',
  staged_changes: 'one plan; the plans of a renamed sync are renamed with its runs',
  rejections: 'what a run has found; those of a renamed sync are renamed with its runs',
};
const FOLLOWERS = (Object.keys(keyTables) as TableWithKeys[]).filter((table) => keyTables[table] === 'follows');

/** Gives records, and the rows that follow them, the keys that a staged plan has for them. */
export async function moveToNewKeys(db: Kysely<LedgerTables>, { run, sync }: { run: string; sync: string }) {
  await move(rekeyed, {
    from: sql`staged_changes`,
    where: sql`staged_changes.run = ${run} and staged_changes.previous_key is not null
      and records.sync = ${sync} and records.key = staged_changes.previous_key`,
  }).execute(db);
  // What was said about a record that was rejected under its new key gives way: the record is known now.
  await sql`
    delete from answers where sync = ${sync} and exists (
      select 1 from staged_changes join answers as own on own.sync = ${sync} and own.key = staged_changes.previous_key
      where staged_changes.run = ${run} and staged_changes.key = answers.key and own.kind = answers.kind
    )
  `.execute(db);
  for (const table of FOLLOWERS) {
    await sql`
      update ${sql.table(table)} set key = staged_changes.key from staged_changes
      where staged_changes.run = ${run} and staged_changes.previous_key is not null
        and ${sql.ref(`${table}.sync`)} = ${sync} and ${sql.ref(`${table}.key`)} = staged_changes.previous_key
    `.execute(db);
  }
}

/** Gives the rows of the records that were renamed the new name of the sync, and `prefix` before their keys. */
export async function followRename(
  db: Kysely<LedgerTables>,
  { former, sync, prefix }: { former: string; sync: string; prefix: string },
): Promise<void> {
  const stays = sql`select key from records where sync = ${former}`;
  const newKey = sql`cast(${prefix} as text) || key`;
  const hasOwn: Partial<Record<TableWithKeys, RawBuilder<unknown>>> = {
    answers: sql`exists (
      select 1 from answers as own where own.sync = ${sync} and own.key = cast(${prefix} as text) || answers.key and own.kind = answers.kind)`,
    // Of two verifications, that of the new name counts.
    differences: sql`exists (select 1 from verifications where verifications.sync = ${sync})`,
  };
  for (const table of FOLLOWERS) {
    await sql`
      update ${sql.table(table)} set sync = ${sync}, key = ${newKey}
      where sync = ${former} and key not in (${stays}) and not ${hasOwn[table] ?? sql`1 = 0`}
    `.execute(db);
  }
  // A sync that becomes a source has no sources of its own.
  const tables = ['verifications', ...(prefix === '' ? ['members', 'readings'] : [])];
  for (const table of tables) {
    await sql`
      update ${sql.table(table)} set sync = ${sync}
      where sync = ${former} and not exists (select 1 from ${sql.table(table)} as own where own.sync = ${sync})
    `.execute(db);
  }
}

/**
 * Deletes the rows of records that are deleted. Answers expire by themselves, as a record may return.
 * @param isTheirs the condition that their syncs and keys meet
 */
export async function forgetFollowers(db: Kysely<LedgerTables>, isTheirs: RawBuilder<unknown>): Promise<void> {
  for (const table of FOLLOWERS.filter((each) => each !== 'answers')) {
    await sql`delete from ${sql.table(table)} where ${isTheirs}`.execute(db);
  }
}
