import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { inspectLedger, isLedgerCurrent } from '../../../src/ledger/database/inspect.ts';
import { type LedgerOptions, lookAtDatabase } from '../../../src/ledger/database/open.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { createEmptyDatabase, hasEngine, ledgerEngines, temporaryDir } from '../../support/engines.ts';
import { createFilledLedger } from '../../support/ledger-rows.ts';

describe.each(ledgerEngines.filter(hasEngine))('The tables of a ledger on %s', (engine) => {
  test('Two processes create them at once, in a database that has none', async () => {
    await using place = await emptyPlace(engine);
    const { options } = place;
    await execute(options, sql`select 1`);
    expect(await isLedgerCurrent(options)).toBe(false);
    expect(await inspectLedger(options)).toMatchObject({ isCurrent: false, rows: {} });
    for (const ledger of await Promise.all([openLedger(options), openLedger(options)])) await ledger.close();
    expect(await isLedgerCurrent(options)).toBe(true);
    expect(await inspectLedger(options)).toMatchObject({ isCurrent: true, rows: { records: 0, runs: 0 } });
  });

  test('A ledger of a newer version is refused, by doctor too', async () => {
    await using place = await emptyPlace(engine);
    await (await openLedger(place.options)).close();
    await execute(
      place.options,
      sql`insert into kysely_migration (name, timestamp) values ('999-future', '2030-01-01T00:00:00Z')`,
    );
    const newer = { code: 'FF_LEDGER_NEWER', message: expect.stringMatching(/a newer version \(999-future\)/) };
    await expect(openLedger(place.options)).rejects.toMatchObject(newer);
    await expect(inspectLedger(place.options)).rejects.toMatchObject(newer);
  });

  test.each([[['001-initial']], [['001-initial', '002-plain-names']], [['001-tables', '002-series-and-refusals']]])(
    'A ledger from before the first release, with %j, is refused and stays as it is',
    async (names) => {
      await using place = await emptyPlace(engine);
      await execute(place.options, sql`create table kysely_migration (name text primary key, timestamp text not null)`);
      for (const name of names)
        await execute(place.options, sql`insert into kysely_migration values (${name}, '2026')`);
      await execute(place.options, sql`create table records (sync text, key text, at text)`);
      const older = {
        code: 'FF_LEDGER_OLDER',
        message: expect.stringMatching(/before the first release.* cannot be upgraded \(001-/),
        remedy: expect.stringMatching(/FEEDFERRY_DATA to an empty directory, or DATABASE_URL to an empty database/),
      };
      await expect(openLedger(place.options)).rejects.toMatchObject(older);
      await expect(inspectLedger(place.options)).rejects.toMatchObject(older);
      const tables = await lookAtDatabase(place.options, ({ db }) => db.introspection.getTables());
      expect(tables.map(({ name, columns }) => [name, columns.length])).toEqual([['records', 3]]);
    },
  );

  describe('Constraints', () => {
    let options: LedgerOptions;

    beforeAll(async () => {
      const place = await emptyPlace(engine);
      options = place.options;
      await createFilledLedger(options);
      return () => place[Symbol.asyncDispose]();
    });

    test.each([
      ['records', 'status'],
      ['records', 'goal'],
      ['staged_changes', 'op'],
      ['runs', 'kind'],
      ['runs', 'status'],
      ['attempts', 'method'],
      ['attempts', 'outcome'],
      ['attempts', 'doubt'],
      ['records', 'knows'],
      ['alerts', 'kind'],
    ])('A ledger takes no unknown value in %s.%s', async (table, column) => {
      const value = 'nonsense';
      const change = execute(options, sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}`);
      await expect(change).rejects.toThrow(/check constraint/i);
    });
  });
});

/** Where a ledger may be created: an empty folder, or an empty database. */
async function emptyPlace(engine: (typeof ledgerEngines)[number]) {
  const dir = temporaryDir();
  const database = engine === 'postgresql' ? await createEmptyDatabase() : undefined;
  const options: LedgerOptions = { dataDir: dir.path, ...(database ? { databaseUrl: database.url } : {}) };
  return {
    options,
    async [Symbol.asyncDispose]() {
      await database?.drop();
      dir[Symbol.dispose]();
    },
  };
}

async function execute(options: LedgerOptions, statement: ReturnType<typeof sql>): Promise<void> {
  await lookAtDatabase(options, ({ db }) => statement.execute(db));
}
