import { sql } from 'kysely';
import { lookAtDatabase } from '../../src/ledger/database/open.ts';
import type { LedgerTables } from '../../src/ledger/database/schema.ts';

const TABLES: Array<keyof LedgerTables> = [
  ...(['records', 'staged_changes', 'runs', 'attempts', 'rejections'] as const),
  ...(['uploads', 'remote_files', 'habits', 'run_totals', 'alerts', 'verifications', 'differences'] as const),
  ...(['deeds', 'pauses', 'answers', 'acknowledgements', 'members', 'readings'] as const),
];

/**
 * Returns what a ledger knows of syncs and files, by table, as one text a row.
 * @param without a run whose rows are left out
 */
export function ledgerTables(variables: Record<string, string>, { without = '' } = {}) {
  const options = { dataDir: variables.FEEDFERRY_DATA ?? '', databaseUrl: variables.DATABASE_URL };
  return lookAtDatabase(options, async ({ db }) => {
    const found: Partial<Record<keyof LedgerTables, string[]>> = {};
    for (const table of TABLES) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
      const own = table === 'runs' ? 'id' : 'run';
      const others = without === '' ? rows : rows.filter((row) => row[own] !== without);
      found[table] = others.map((row) => JSON.stringify(row)).sort();
    }
    return found;
  });
}
