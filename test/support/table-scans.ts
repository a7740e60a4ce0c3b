import { DatabaseSync } from 'node:sqlite';

/** Tables that grow with records, history or runs. */
export const LARGE_TABLES = [
  ...['records', 'attempts', 'runs', 'rejections', 'staged_changes', 'uploads', 'remote_files'],
];

/**
 * Lets a SQLite ledger explain statements, and returns the parts of the plans that read a large table from end to end, each with
 * its statement. Scans of partial indices do not count, because these indices have few entries.
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

/** Returns the tables of a statement by their aliases in the statement. */
function namesIn(statement: string): Map<string, string> {
  const named = statement.matchAll(/(?:from|join) "?(\w+)"? as "?(\w+)"?/g);
  return new Map([...named].map(([, table = '', name = '']) => [name, table]));
}
