import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';
import { type LedgerOptions, sqliteFile } from '../../src/ledger/database/open.ts';

// test/fixtures/ledger-0.1.0.sqlite was made by version 0.1.0: its sandbox and syncs for "talks" (delivered, edited, deleted
// in the CMS, removed, and a held plan), calls of its ledger for all else (each state of a record in "states", the open
// backfill of "old", runs of every kind, alerts, targets, permits, a remote file). Names of the machine were replaced, and the file
// was written with `pragma page_size = 512; vacuum`.
const fixture = join(import.meta.dirname, '../fixtures/ledger-0.1.0.sqlite');

export type Row = Record<string, SQLInputValue>;

export function openFixture(): DatabaseSync {
  return new DatabaseSync(fixture, { readOnly: true });
}

export function tablesOf(file: DatabaseSync): string[] {
  const rows = file.prepare("select name from sqlite_schema where type = 'table' and name not like 'kysely%'").all();
  return rows.map(({ name }) => String(name));
}

export function rowsOf(table: string, file: DatabaseSync): Row[] {
  return file.prepare(`select * from ${table}`).all() as Row[];
}

/** Makes the ledger of the fixture that of a data directory, or of a database. */
export async function putOldLedger({ dataDir, databaseUrl }: LedgerOptions): Promise<void> {
  if (databaseUrl) return restore(databaseUrl);
  mkdirSync(dataDir, { recursive: true });
  copyFileSync(fixture, sqliteFile(dataDir));
}

/** Version 0.1.0 made both alike, but for `without rowid`. */
function restore(url: string): Promise<void> {
  return withPostgres(url, async (client) => {
    using file = openFixture();
    const statements = file.prepare('select sql from sqlite_schema where sql is not null order by type desc').all();
    for (const { sql } of statements) await client.query(String(sql).replace(/ without rowid$/, ''));
    for (const table of [...tablesOf(file), 'kysely_migration', 'kysely_migration_lock']) {
      for (const row of rowsOf(table, file)) {
        const columns = Object.keys(row);
        const values = columns.map((_, index) => `$${index + 1}`);
        const names = columns.map((column) => `"${column}"`);
        await client.query(`insert into ${table} (${names}) values (${values})`, Object.values(row));
      }
    }
  });
}

export async function withPostgres<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
