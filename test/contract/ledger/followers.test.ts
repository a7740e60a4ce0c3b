import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import type { LedgerDatabase, LedgerTables } from '../../../src/ledger/database/schema.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

/** Tables whose keys are not those of records, and why. */
const keysOfOthers: Record<string, string> = {
  members: 'the keys of the records of sources, which change with their readings',
  staged_changes: 'a plan, which may have records that the ledger does not know yet',
  rejections: 'what a run has found in the source, where it may be no record',
};

const DAY_MS = 86_400_000;
const retention = { runsMs: 90 * DAY_MS, rejectsMs: DAY_MS, beforeImagesMs: DAY_MS, filesMs: DAY_MS };
const followers = ['attempts', 'questions', 'acknowledgements', 'differences'];
const said = { about_hash: 'h', person: 'Ada', answered_at: 0 };
const content = {
  resource: 'events',
  place: 'line 2',
} as const;

// What belongs to a record has its key and its sync, and no life of its own.
describe.each(ledgerEngines.filter(hasEngine))('What belongs to records in a ledger on %s', (engine) => {
  const opened = withLedger(engine);
  let db: LedgerDatabase['db'];

  beforeAll(async () => {
    const { databaseUrl, dataDir } = opened;
    ({ db } = await openDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) }));
  });
  afterAll(() => db.destroy());

  /** A delivered record with a row in each table that follows it. */
  async function add(sync: string, key: string, cmsId: number | null = 7): Promise<void> {
    await insert('records', { ...content, sync, key, status: 'delivered', run: 'r', cms_id: cmsId, ...inCms(cmsId) });
    const [record] = await idsOf(sync, key);
    await insert('attempts', {
      record,
      seq: 1,
      run: 'r',
      begun_at: 0,
      settled_at: 0,
      outcome: 'created',
    });
    await insert('questions', {
      record,
      other: record,
      kind: 'item',
      run: 'r',
      asked_at: 0,
      answer: 'distinct',
      ...said,
    });
    await insert('acknowledgements', { kind: 'withoutFile', record, used_at: 0, ...said });
    await insert('differences', { sync, seq: 0, record, cause: 'edited', attributes: '[]', detail: '{}' });
    await insert('verifications', { sync, id: sync, began_at: 0 });
  }

  async function idsOf(sync: string, key: string): Promise<number[]> {
    const rows = await db
      .selectFrom('records')
      .select('id')
      .where(({ and }) => and({ sync, key }))
      .execute();
    return rows.map(({ id }) => id);
  }

  const inCms = (cmsId: number | null) => (cmsId === null ? { knows: 'none' } : { knows: 'known', has: 1 });

  async function insert(table: keyof LedgerTables, row: object): Promise<void> {
    await db
      .insertInto(table)
      .values(row as never)
      .execute();
  }

  async function owners(table: string): Promise<string[]> {
    const named = followers.includes(table)
      ? sql`select records.sync, records.key from ${sql.table(table)} as rows join records on records.id = rows.record`
      : sql`select sync, key from ${sql.table(table)}`;
    const { rows } = await sql<{ sync: string; key: string }>`${named} order by 1, 2`.execute(db);
    return rows.map(({ sync, key }) => `${sync}/${key}`);
  }

  async function rejects(): Promise<string[]> {
    const rows = await db
      .selectFrom('acknowledgements')
      .select(['sync', 'reject'])
      .where('record', 'is', null)
      .execute();
    return rows.map(({ sync, reject }) => `${sync}/${reject}`);
  }

  async function clear(): Promise<void> {
    for (const table of [...followers, 'records', 'verifications', 'runs', 'members', 'readings', 'answers'] as Array<
      keyof LedgerTables
    >)
      await db.deleteFrom(table).execute();
  }

  test('The keys of records are in two tables alone', async () => {
    const { rows } = await (engine === 'sqlite'
      ? sql<{ name: string }>`
          select tables.name from sqlite_master as tables join pragma_table_info(tables.name) as columns
          where tables.type = 'table' and columns.name in ('key', 'previous_key')`
      : sql<{ name: string }>`
          select columns.table_name as name from information_schema.columns join information_schema.tables using (table_name, table_schema)
          where column_name in ('key', 'previous_key') and table_schema = current_schema() and table_type = 'BASE TABLE'`
    ).execute(db);
    const found = new Set(rows.map(({ name }) => name));
    expect([...found].filter((name) => !Object.hasOwn(keysOfOthers, name)).sort()).toEqual(['former_keys', 'records']);
    // A list that names a table too many would hide the next one.
    expect(Object.keys(keysOfOthers).filter((name) => !found.has(name))).toEqual([]);
  });

  test('The last twenty keys of a record are known, and one to which its source returns counts as new', async () => {
    await clear();
    await add('export', 'k0');
    for (const [index, key] of ['k1', 'k0', ...Array.from({ length: 22 }, (_, nth) => `k${nth + 2}`)].entries()) {
      const { run } = await opened.ledger.runs.lead('export', 'run', { targetId: 't', resource: 'events' });
      const [{ key: previous } = { key: '' }] = await db
        .selectFrom('records')
        .select('key')
        .where('sync', '=', 'export')
        .execute();
      await opened.ledger.plans.add([
        { run, key, op: 'unchanged', ...content, place: `line ${index}`, previous_key: previous },
      ]);
      await opened.ledger.plans.apply(run, 'export');
      await opened.ledger.runs.finish(run);
    }
    const rows = await db.selectFrom('former_keys').select('key').orderBy('no').execute();
    expect(rows.map(({ key }) => key)).toEqual(Array.from({ length: 20 }, (_, nth) => `k${nth + 3}`));
  });

  test('They follow a record to its new key', async () => {
    await clear();
    await add('talks', 'old');
    const { run } = await opened.ledger.runs.lead('talks', 'run', { targetId: 't', resource: 'events' });
    await opened.ledger.plans.add([{ run, key: 'new', op: 'unchanged', ...content, previous_key: 'old' }]);
    await opened.ledger.plans.apply(run, 'talks');
    await opened.ledger.runs.finish(run);
    expect(await owners('records')).toEqual(['talks/new']);
    for (const table of followers)
      expect([table, new Set(await owners(table))]).toEqual([table, new Set(['talks/new'])]);
    expect((await opened.ledger.questions.answersAbout('item', 'talks', ['new'])).get('new')).toMatchObject({
      person: 'Ada',
    });
  });

  test.each([
    { prefix: '', name: 'a', stays: 'both' },
    { prefix: 'music/', name: 'music/a', stays: 'music/both' },
  ])('They follow a sync to its new name, with "$prefix" before the keys', async ({ prefix, name, stays }) => {
    await clear();
    await add('former', 'a');
    await insert('records', {
      ...content,
      sync: 'former',
      key: 'both',
      status: 'delivered',
      run: 'r',
      cms_id: 8,
      ...inCms(8),
    });
    await insert('records', {
      ...content,
      sync: 'fresh',
      key: stays,
      status: 'delivered',
      run: 'r',
      cms_id: 9,
      ...inCms(9),
    });
    await insert('acknowledgements', { kind: 'rejected', sync: 'former', reject: 'x', used_at: 0, ...said });
    await opened.ledger.records.takeOverRecords('former', 'fresh', prefix);
    expect(await owners('records')).toEqual([`former/both`, `fresh/${name}`, `fresh/${stays}`]);
    for (const table of followers) expect([table, await owners(table)]).toEqual([table, [`fresh/${name}`]]);
    expect(await rejects()).toEqual([`fresh/${prefix}x`]);
    expect((await opened.ledger.verifications.differencesOf('fresh', [name])).map(({ cause }) => cause)).toEqual([
      'edited',
    ]);
  });

  test('Members and readings follow a sync with several sources to its new name', async () => {
    await clear();
    await add('former', 'music/1');
    await opened.ledger.readings.beginReading('former', 'music');
    const member = {
      key: 'music/1',
      source: 'music',
      place: 'x',
      payload: '{}',
      attachments: '[]',
      source_hash: null,
      event_hash: 'h',
    };
    const read = {
      read_in: 'r',
      read_no: 1,
      read_hash: null,
      starts_on: null,
      ends_on: null,
      series: null,
      slot: null,
      repeats: 0,
    } as const;
    await opened.ledger.members.putMembers('former', [{ ...member, ...read }]);
    await opened.ledger.answers.answer('former', [{ about: 'places: hall ~ room', answer: 'same', person: 'Ada' }]);
    await opened.ledger.records.takeOverRecords('former', 'fresh');
    expect(await owners('members')).toEqual(['fresh/music/1']);
    expect([...(await opened.ledger.answers.allAnswers('fresh')).keys()]).toEqual(['places: hall ~ room']);
  });

  test('What a person has said lives as long as its record', async () => {
    await clear();
    await add('talks', 'kept');
    await add('quiet', 'other', 8);
    // The rejects of a sync that does not run in the summer are still acknowledged afterwards.
    for (const sync of ['talks', 'quiet', 'removed'])
      await insert('acknowledgements', { kind: 'rejected', sync, reject: 'line 3', used_at: 0, ...said });
    await opened.ledger.answers.answer('removed', [{ about: 'places: hall ~ room', answer: 'same', person: 'Ada' }]);
    await db.updateTable('answers').set({ answered_at: 0 }).execute();
    const { run } = await opened.ledger.runs.lead('talks', 'run', { targetId: 't', resource: 'events' });
    await opened.ledger.runs.finish(run);
    await opened.ledger.retention.run(retention, new AbortController().signal);
    expect(await rejects()).toEqual(['quiet/line 3']);
    expect(await opened.ledger.answers.allAnswers('removed')).toEqual(new Map());
    const ofRecords = ['questions', 'acknowledgements'];
    for (const table of ofRecords) expect(await owners(table)).toEqual(['quiet/other', 'talks/kept']);
    await db.deleteFrom('records').where('sync', '=', 'talks').execute();
    for (const table of ofRecords) expect(await owners(table)).toEqual(['quiet/other']);
  });
});
