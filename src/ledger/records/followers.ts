import { type Kysely, sql } from 'kysely';
import { isUnsent } from '../database/conditions.ts';
import type { LedgerTables } from '../database/schema.ts';
import { asideOf, forget, move, rekeyed, setAside } from './transitions.ts';

/** Number of former keys that are kept of a record: some sources make new keys at each export. */
const KEPT = 20;

/** Gives records the keys that a staged plan has for them. */
export async function moveToNewKeys(db: Kysely<LedgerTables>, { run, sync }: { run: string; sync: string }) {
  const isMoved = sql`staged_changes.run = ${run} and staged_changes.previous_key is not null
    and records.sync = ${sync} and records.key = staged_changes.previous_key`;
  // A key that passes on to another record does not lead back to the one that had it.
  await sql`
    insert into former_keys (record, key, no)
    select records.id, records.key, 1 + coalesce((select max(no) from former_keys where record = records.id), 0)
    from staged_changes, records where ${isMoved}
      and not exists (select 1 from staged_changes as own where own.run = ${run} and own.key = staged_changes.previous_key)
    on conflict (record, key) do update set no = excluded.no
  `.execute(db);
  await sql`
    delete from former_keys where record in (select records.id from staged_changes, records where ${isMoved})
      and no <= (select max(no) from former_keys as latest where latest.record = former_keys.record) - ${KEPT}
  `.execute(db);
  const ofPlan = (column: 'key' | 'previous_key') =>
    sql`(select ${sql.ref(column)} from staged_changes where run = ${run} and previous_key is not null)`;
  const isInTheWay = sql`sync = ${sync} and key in ${ofPlan('key')} and key not in ${ofPlan('previous_key')} and ${isUnsent}`;
  await forget(isInTheWay).execute(db);
  await move(setAside, { from: sql`staged_changes`, where: isMoved }).execute(db);
  const isAside = sql`staged_changes.run = ${run} and staged_changes.previous_key is not null
    and records.sync = ${sync} and records.key = ${asideOf(sql`staged_changes.key`)}`;
  await move(rekeyed, { from: sql`staged_changes`, where: isAside }).execute(db);
}

/** Gives what belongs to the records that were renamed the new name of the sync, and `prefix` before their keys. */
export async function followRename(
  db: Kysely<LedgerTables>,
  { former, sync, prefix }: { former: string; sync: string; prefix: string },
): Promise<void> {
  const newName = sql`cast(${prefix} as text) || acknowledgements.reject`;
  await sql`
    update acknowledgements set sync = ${sync}, reject = ${newName}
    where sync = ${former} and not exists (select 1 from acknowledgements as own where own.sync = ${sync} and own.reject = ${newName})
  `.execute(db);
  // Of two verifications, that of the new name counts. A sync that becomes a source has no sources of its own.
  const tables = ['differences', 'verifications', ...(prefix === '' ? ['answers', 'members', 'readings'] : [])];
  for (const table of tables) {
    const ruling = sql.table(table === 'differences' ? 'verifications' : table);
    await sql`
      update ${sql.table(table)} set sync = ${sync}
      where sync = ${former} and not exists (select 1 from ${ruling} as own where own.sync = ${sync})
    `.execute(db);
  }
}
