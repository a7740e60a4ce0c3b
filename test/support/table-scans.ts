import { DatabaseSync } from 'node:sqlite';

/** Tables that grow with records, history or runs. */
export const LARGE_TABLES = [
  ...['records', 'history', 'runs', 'rejections', 'staged_changes', 'backfill_work', 'uploads', 'remote_files'],
];

/**
 * Explains statements to a SQLite ledger, and returns the parts of their plans that read a large table from end to end, each with
 * its statement. The partial indices do not count: few rows have an entry in them.
 */
export function tableScans(file: string, statements: readonly string[]): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const partial = database.prepare(`select name from sqlite_schema where type = 'index' and sql like '% where %'`);
    const fewEntries = new Set(partial.all().map(({ name }) => name));
    return statements.filter(hasPlan).flatMap((statement) => {
      const tableOf = namesIn(statement);
      const steps = database.prepare(`explain query plan ${statement}`).all();
      return steps.flatMap(({ detail }) => {
        const [, name = '', index = ''] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(String(detail)) ?? [];
        const isLarge = LARGE_TABLES.includes(tableOf.get(name) ?? name);
        return isLarge && !fewEntries.has(index) ? [`${detail}: ${statement}`] : [];
      });
    });
  } finally {
    database.close();
  }
}

function hasPlan(statement: string): boolean {
  return /^(select|insert|update|delete|with)\b/i.test(statement);
}

/** Tables of a statement, by the names that it gives them. */
function namesIn(statement: string): Map<string, string> {
  const named = statement.matchAll(/(?:from|join) "?(\w+)"? as "?(\w+)"?/g);
  return new Map([...named].map(([, table = '', name = '']) => [name, table]));
}
