import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { inspectLedger, isLedgerCurrent } from '../../../src/ledger/database/inspect.ts';
import { type LedgerOptions, lookAtDatabase, sqliteFile } from '../../../src/ledger/database/open.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { createDatabase, hasEngine, ledgerEngines, temporaryDir } from '../../support/engines.ts';
import { openFixture, putOldLedger, type Row, rowsOf, tablesOf, withPostgres } from '../../support/old-ledger.ts';

/** What version 0.1.0 called tables and columns that have other names now. */
const renamedTables = {
  staged: 'staged_changes',
  destinations: 'targets',
  tallies: 'run_totals',
  chores: 'housekeeping',
};
const renamedColumns: Record<string, Record<string, string>> = {
  records: {
    ...{ at: 'place', seen: 'expected_item_hash', editable: 'editor_state', marked: 'attributes_before_mark' },
    ...{ maybe_sent: 'create_unconfirmed', maybe_sent_before: 'create_unconfirmed_before_claim' },
    ...{ doubted: 'unconfirmed_payloads', maybe_removed: 'delete_unconfirmed', adopted: 'is_adopted' },
    ...{ unwanted: 'not_retried', uploads: 'upload_count', claim: 'claim_token' },
  },
  staged: { at: 'place', seen: 'expected_item_hash', editable: 'editor_state' },
  runs: { destination: 'target' },
  backfill_work: { at: 'place', superseded: 'is_superseded' },
  history: { uploads: 'upload_count' },
  rejections: { at: 'place' },
  uploads: { destination: 'target' },
  destinations: { destination: 'target', stopped_for: 'stopped_credentials_hash' },
  alerts: { untold: 'pending_count', told: 'sent_count', last_told_at: 'last_sent_at', claim: 'claim_token' },
  chores: { chore: 'task' },
};

describe.each(ledgerEngines.filter(hasEngine))('A ledger of version 0.1.0 on %s', (engine) => {
  let options: LedgerOptions;

  beforeAll(async () => {
    const dir = temporaryDir();
    const database = engine === 'postgresql' ? await createDatabase() : undefined;
    options = { dataDir: dir.path, ...(database ? { databaseUrl: database.url } : {}) };
    await putOldLedger(options);
    return async () => {
      await database?.drop();
      dir[Symbol.dispose]();
    };
  });

  test('An old ledger becomes current when it is opened, with every row under its new names', async () => {
    expect(await isLedgerCurrent(options)).toBe(false);
    expect(await inspectLedger(options)).toMatchObject({ isCurrent: false, rows: {} });
    // Two processes may open it at once.
    for (const ledger of await Promise.all([openLedger(options), openLedger(options)])) await ledger.close();
    expect(await isLedgerCurrent(options)).toBe(true);

    using file = openFixture();
    for (const old of tablesOf(file).filter((name) => name !== 'permits')) {
      const table = renamedTables[old as keyof typeof renamedTables] ?? old;
      const expected = rowsOf(old, file).map((row) => expectedRow(old, row, rowsOf('history', file)));
      expect(expected, old).not.toEqual([]);
      expect(sorted(await currentRows(table, options)), table).toEqual(sorted(expected));
    }
  });

  test('A ledger with unknown migrations is refused', async () => {
    await lookAtDatabase(options, ({ db }) =>
      sql`insert into kysely_migration (name, timestamp) values ('999-later', '2030-01-01T00:00:00Z')`.execute(db),
    );
    await expect(openLedger(options)).rejects.toMatchObject({ code: 'FF_LEDGER_NEWER' });
    await lookAtDatabase(options, ({ db }) => sql`delete from kysely_migration where name = '999-later'`.execute(db));
  });

  test.each([
    ['records', 'status'],
    ['records', 'outcome'],
    ['records', 'action'],
    ['records', 'is_adopted'],
    ['staged_changes', 'op'],
    ['runs', 'kind'],
    ['runs', 'status'],
    ['history', 'method'],
    ['alerts', 'kind'],
  ])('A migrated ledger takes no unknown value in %s.%s', async (table, column) => {
    const value = column.startsWith('is_') ? 2 : 'nonsense';
    const change = lookAtDatabase(options, ({ db }) =>
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}`.execute(db),
    );
    await expect(change).rejects.toThrow(/check constraint/i);
  });

  test('A migrated ledger has the same tables and indexes as a new one', async () => {
    using dir = temporaryDir();
    await using database = engine === 'postgresql' ? await createDatabaseToDrop() : undefined;
    const fresh = { dataDir: dir.path, ...(database ? { databaseUrl: database.url } : {}) };
    await (await openLedger(fresh)).close();
    expect(await definitions(options)).toEqual(await definitions(fresh));
  });
});

async function createDatabaseToDrop() {
  const database = await createDatabase();
  return { url: database.url, [Symbol.asyncDispose]: () => database.drop() };
}

/** What the CMS made of the values of an item that it does not show as they were sent, according to its last change. */
function madeOf({ sync, key, cms_id }: Row, history: readonly Row[]): Row[string] {
  const changes = history.filter((each) => each.sync === sync && each.key === key && each.after !== null);
  const last = changes.toSorted((one, other) => Number(one.seq) - Number(other.seq)).at(-1);
  return cms_id === null ? null : (last?.after ?? null);
}

function expectedRow(table: string, row: Row, history: readonly Row[]): Row {
  const names = renamedColumns[table] ?? {};
  const { approves, next_at, ...rest } = row;
  const columns = Object.entries(rest).map(([column, value]) => [names[column] ?? column, value] as const);
  return {
    ...Object.fromEntries(columns),
    ...(approves === 1 ? { kind: 'approve' } : {}),
    ...(table === 'records' ? { quiet_since: null, made_by_cms: madeOf(row, history), source_hash: null } : {}),
    ...(table === 'staged' ? { source_hash: null } : {}),
    ...(table === 'backfills' ? { lease_until: expect.closeTo(Date.now(), -5) } : {}),
    ...(table === 'destinations' ? { permits: '[]', pace: null, paused_for: null } : {}),
  };
}

function currentRows(table: string, options: LedgerOptions): Promise<Row[]> {
  return lookAtDatabase(
    options,
    ({ db }) =>
      db
        .selectFrom(table as 'runs')
        .selectAll()
        .execute() as Promise<never>,
  );
}

function sorted(rows: readonly Row[]): Row[] {
  const text = (row: Row) => JSON.stringify(Object.entries(row).sort());
  return [...rows].map((row) => ({ ...row })).sort((one, other) => (text(one) < text(other) ? -1 : 1));
}

/** How the database describes its tables, constraints and indices. */
async function definitions({ dataDir, databaseUrl }: LedgerOptions): Promise<unknown[]> {
  if (!databaseUrl) {
    using file = new DatabaseSync(sqliteFile(dataDir), { readOnly: true });
    return file.prepare('select type, name, tbl_name, sql from sqlite_schema order by type, name').all();
  }
  return withPostgres(databaseUrl, async (client) => {
    const { rows } = await client.query(`
      select table_name as name, column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '') as definition
      from information_schema.columns where table_schema = current_schema()
      union all select tablename, indexdef from pg_indexes where schemaname = current_schema()
      union all select conname, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = current_schema()::regnamespace and contype <> 'n'
      order by 1, 2`);
    return rows;
  });
}
