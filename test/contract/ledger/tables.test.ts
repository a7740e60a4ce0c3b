import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type LedgerOptions, lookAtDatabase } from '../../../src/ledger/database/open.ts';
import { createDatabase, hasEngine, ledgerEngines, temporaryDir } from '../../support/engines.ts';
import { createFilledLedger } from '../../support/ledger-rows.ts';

// The page names syncs, keys and runs of the fixture, so each of its queries finds something.
const page = readFileSync(join(import.meta.dirname, '../../../docs/ledger-tables.md'), 'utf8');
const queries = [...page.matchAll(/^### (.+)$[^#]*?^```sql\n([^`]+)^```$/gm)].map(([, title = '', query = '']) => ({
  title,
  query,
}));
const entities = [...page.matchAll(/^ {2}(\w+) \{\n([^}]+)\}/gm)].flatMap(([, table = '', body = '']) =>
  [...body.matchAll(/^ {4}(?:text|integer|bigint) (\w+)/gm)].map(([, column = '']) => ({ table, column })),
);

/** Of what each query returns for the fixture, one column. */
const answers: Record<string, { column: string; values: unknown[] }> = {
  'What failed last night?': { column: 'key', values: ['failed', 'held', 'refused'] },
  'What was rejected most often?': { column: 'code', values: ['FF_RECORD_VALUE', 'FF_RECORD_DATE'] },
  'What happened to one record?': { column: 'outcome', values: ['created', 'removed'] },
  'What is still to be delivered?': {
    column: 'key',
    values: ['claimed', 'marked', 'pending', 'retried', 'unremoved'],
  },
  'What may be in the CMS although it was never confirmed?': {
    column: 'key',
    values: ['claimed', 'held', 'marked', 'refused', 'retried', 'unremoved'],
  },
  'What would the plans change that wait for an approval?': { column: 'op', values: ['delete', 'update'] },
  'How much has each sync delivered since the ledger was created?': {
    column: 'sync',
    values: ['approved', 'purged', 'retried', 'states', 'talks'],
  },
};

test('The page has seven queries and the columns of seven tables', () => {
  expect(queries).toHaveLength(7);
  expect(new Set(entities.map(({ table }) => table)).size).toBe(7);
});

describe.each(ledgerEngines.filter(hasEngine))('docs/ledger-tables.md on %s', (engine) => {
  let options: LedgerOptions;

  beforeAll(async () => {
    const dir = temporaryDir();
    const database = engine === 'postgresql' ? await createDatabase() : undefined;
    options = { dataDir: dir.path, ...(database ? { databaseUrl: database.url } : {}) };
    await createFilledLedger(options);
    return async () => {
      await database?.drop();
      dir[Symbol.dispose]();
    };
  });

  function rowsOf(query: string): Promise<Array<Record<string, unknown>>> {
    return lookAtDatabase(options, async ({ db }) => (await sql.raw<Record<string, unknown>>(query).execute(db)).rows);
  }

  test.each(queries)('$title', async ({ title, query }) => {
    const { column = '', values } = answers[title] ?? {};
    const rows = await rowsOf(query.trim().replace(/;$/, ''));
    expect(rows.map((row) => row[column])).toEqual(values);
  });

  test('The diagram names tables and columns that exist', async () => {
    for (const { table, column } of entities) await rowsOf(`select ${column} from ${table} limit 1`);
  });

  test('A record has few columns: what only some have is in tables of its own', async () => {
    const tables = await lookAtDatabase(options, ({ db }) => db.introspection.getTables());
    expect(tables.find(({ name }) => name === 'records')?.columns.length).toBeLessThanOrEqual(26);
  });

  test('The list of tables is complete', async () => {
    const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, table = '']) => table);
    const all = await lookAtDatabase(options, ({ db }) => db.introspection.getTables());
    const tables = all.filter(({ isView }) => !isView);
    // SQLite keeps the words of a search in tables of its own.
    const ours = tables.map(({ name }) => name).filter((name) => !name.startsWith('search_words_'));
    expect(listed.toSorted()).toEqual(ours.toSorted());
    for (const table of listed) await rowsOf(`select 1 from ${table} limit 1`);
  });
});
