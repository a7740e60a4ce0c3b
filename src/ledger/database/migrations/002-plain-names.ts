import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createTables, isSqlite } from './001-initial.ts';

// Version 0.1.0 created other tables under the name of the first migration. They are copied, created as they are now, and
// filled from the copies. A new ledger has nothing to move.

/** The tables of version 0.1.0, with their columns that have other names now. */
const oldTables: Record<string, { table?: string; columns?: Record<string, string> }> = {
  records: {
    columns: {
      at: 'place',
      editable: 'editor_state',
      uploads: 'upload_count',
      unwanted: 'not_retried',
      claim: 'claim_token',
      maybe_sent: 'create_unconfirmed',
      maybe_sent_before: 'create_unconfirmed_before_claim',
      doubted: 'unconfirmed_payloads',
      maybe_removed: 'delete_unconfirmed',
      adopted: 'is_adopted',
      marked: 'attributes_before_mark',
      seen: 'expected_item_hash',
    },
  },
  staged: {
    table: 'staged_changes',
    columns: { at: 'place', editable: 'editor_state', seen: 'expected_item_hash' },
  },
  runs: { columns: { destination: 'target' } },
  backfills: {},
  backfill_work: { columns: { at: 'place', superseded: 'is_superseded' } },
  history: { columns: { uploads: 'upload_count' } },
  rejections: { columns: { at: 'place' } },
  uploads: { columns: { destination: 'target' } },
  remote_files: {},
  destinations: { table: 'targets', columns: { destination: 'target', stopped_for: 'stopped_credentials_hash' } },
  tallies: { table: 'run_totals' },
  alerts: {
    columns: { untold: 'pending_count', told: 'sent_count', last_told_at: 'last_sent_at', claim: 'claim_token' },
  },
  chores: { table: 'housekeeping', columns: { chore: 'task' } },
};

/** Columns that are not copied: an approval was a run with a flag, and requests had slots of their own. */
const droppedColumns = ['approves', 'next_at'];

export const plainNames: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    if ((await columnsOf('staged', db)).length === 0) return;
    // Leases of processes that have ended.
    await sql`drop table permits`.execute(db);
    for (const name of Object.keys(oldTables)) {
      // A renamed table would keep its indices and constraints, whose names are needed again.
      await sql`create table ${sql.table(asideName(name))} as select * from ${sql.table(name)}`.execute(db);
      await sql`drop table ${sql.table(name)}`.execute(db);
    }
    await createTables(db);
    for (const [name, { table = name, columns = {} }] of Object.entries(oldTables)) {
      await copyRows(asideName(name), table, columns, db);
      await sql`drop table ${sql.table(asideName(name))}`.execute(db);
    }
    // Of backfills that were interrupted. The next sweep would have deleted their work.
    await sql`update backfills set lease_until = ${Date.now()} where lease_until = 0`.execute(db);
  },
};

function asideName(table: string): string {
  return `old_${table}`;
}

async function copyRows(from: string, to: string, names: Record<string, string>, db: Kysely<unknown>): Promise<void> {
  const old = await columnsOf(from, db);
  const isFlagged = old.includes('approves');
  const columns = old.filter((column) => !droppedColumns.includes(column));
  const values = columns.map((column) =>
    isFlagged && column === 'kind'
      ? sql`case when approves = 1 then 'approve' else kind end`
      : sql.ref<unknown>(column),
  );
  await sql`
    insert into ${sql.table(to)} (${sql.join(columns.map((column) => sql.ref(names[column] ?? column)))})
    select ${sql.join(values)} from ${sql.table(from)}
  `.execute(db);
}

async function columnsOf(table: string, db: Kysely<unknown>): Promise<string[]> {
  const { rows } = isSqlite(db)
    ? await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db)
    : await sql<{ name: string }>`
        select column_name as name from information_schema.columns
        where table_schema = current_schema() and table_name = ${table}
      `.execute(db);
  return rows.map(({ name }) => name);
}
