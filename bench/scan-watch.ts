import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordStatements } from '../test/support/sql-statements.ts';
import { LARGE_TABLES, tableScans } from '../test/support/table-scans.ts';
import type { SqlClient } from './sql-client.ts';

const RECORDER = join(import.meta.dirname, 'record-statements.ts');

/** Runs a command with further options of node and environment variables. */
type Command = (nodeOptions: readonly string[], variables: Readonly<Record<string, string>>) => Promise<unknown>;

/**
 * Finds out which large tables are read from end to end: by the query plans of SQLite, of all statements that are sent; or by
 * what PostgreSQL counts.
 */
export function createScanWatch(client: SqlClient, ledgerFile: string) {
  const found: string[] = [];
  return { found, watch, watchHere };

  async function watch(title: string, command: Command): Promise<void> {
    if (client.engine === 'postgresql') return watchCounts(title, () => command([], {}));
    const file = `${ledgerFile}.statements.json`;
    await command(['--import', RECORDER], { STATEMENTS: file });
    explain(title, JSON.parse(readFileSync(file, 'utf8')) as string[]);
  }

  /** The same for what this process does. */
  async function watchHere(title: string, act: () => Promise<unknown>): Promise<void> {
    if (client.engine === 'postgresql') return watchCounts(title, act);
    const log = recordStatements('ledger.sqlite');
    await act();
    log[Symbol.dispose]();
    explain(title, log.statements);
  }

  async function watchCounts(title: string, act: () => Promise<unknown>): Promise<void> {
    const before = await rowsRead(client);
    await act();
    const read = [...(await rowsRead(client))].map(
      ([table, rows]) => [table, rows - (before.get(table) ?? 0)] as const,
    );
    const tables = read.flatMap(([table, rows]) => (rows > 0 ? [`${rows} rows of ${table}`] : []));
    if (tables.length > 0) found.push(`${title}: ${tables.join(', ')}`);
  }

  function explain(title: string, statements: readonly string[]): void {
    const distinct = [...new Set(statements)];
    found.push(...tableScans(ledgerFile, distinct).map((scan) => `${title}: ${scan}`));
  }
}

/** What PostgreSQL has read of large tables from end to end so far, in rows. */
async function rowsRead(client: SqlClient): Promise<Map<string, number>> {
  const rows = await client.all('select relname as name, seq_tup_read as rows from pg_stat_user_tables');
  const large = rows.filter(({ name }) => LARGE_TABLES.includes(String(name)));
  return new Map(large.map(({ name, rows }) => [String(name), Number(rows)]));
}
