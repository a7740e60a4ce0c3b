import { type Insertable, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { searchTerms, syncTerm } from '../../../src/core/text/search-terms.ts';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import type { LedgerDatabase, RecordsTable } from '../../../src/ledger/database/schema.ts';
import type { RecordSearch } from '../../../src/queries/answers/paging.ts';
import { searchRecords } from '../../../src/queries/records/records.ts';
import { addContent } from '../../support/contents.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

const inCms = { knows: 'known', status: 'delivered', has: 1 } as const;
const event = { title: 'Jazz Night', date: '2027-03-05' };
const person = { title: 'Professor', firstName: 'Ada', lastName: 'Müller', email: 'ada.mueller@example.edu' };

describe.each(ledgerEngines.filter(hasEngine))('The search of a ledger on %s', (engine) => {
  const opened = withLedger(engine);
  let database: LedgerDatabase;
  const options = () => ({ dataDir: opened.dataDir, ...(opened.databaseUrl && { databaseUrl: opened.databaseUrl }) });

  beforeAll(async () => {
    database = await openDatabase(options());
    await add('arts', 'UID-1@cal.example.edu', event, { ...inCms, cms_id: 9, starts_on: '2027-03-05' });
    await add('arts', 'k2', { title: 'Jazz in the park' }, { status: 'failed', starts_on: '2027-04-05' });
    await add('staff', 'ada.mueller@example.edu', person, { ...inCms, resource: 'accounts', cms_id: 10 });
    await add('staff', 'u2', { firstName: 'Jazz', lastName: 'Ödegård 20270305' }, { resource: 'accounts' });
    return () => database.db.destroy();
  });

  async function add(sync: string, key: string, desired: object, more: Partial<RecordsTable> = {}) {
    const content = { wanted: await addContent(database.db, desired), run: 'r' };
    const record = { sync, key, resource: 'events', place: 'line 2', status: 'pending', attempts: 0, ...content };
    const row = { ...record, goal: 'have' as const, missing_runs: 0, knows: 'none', ...more };
    return database.db
      .insertInto('records')
      .values(row as Insertable<RecordsTable>)
      .execute();
  }

  async function find(words: string, search: Partial<RecordSearch> = {}): Promise<string[]> {
    const { records } = await searchRecords({ words, limit: 10, ...search }, opened.ledger);
    return records.map(({ sync, key }) => `${sync}/${key}`).sort();
  }

  const [jazz, park, ada, jo] = ['arts/UID-1@cal.example.edu', 'arts/k2', 'staff/ada.mueller@example.edu', 'staff/u2'];

  test.each([
    ['jazz', [jazz, park, jo]],
    ['NIGHT jazz', [jazz]],
    ['muller', [ada]],
    ['Müll ada', [ada]],
    ['odegard', [jo]],
    ['ada.mueller@example.edu', [ada]],
    ['mueller@example', [ada]],
    ['UID-1', [jazz]],
    ['k2', [park]],
    ['9', [jazz]],
    ['#9', [jazz]],
    ['https://www.example.edu/events/9', [jazz]],
    ['2027-03-05', [jazz]],
    ['2027-04', [park]],
    ['2027-03-05 jazz', [jazz]],
    ['professor', [ada]],
    ['nothing', []],
    ['???', []],
    ['night"*', [jazz]],
    ["ja' | zz:*", []],
  ])('%j is found', async (words, names) => {
    expect(await find(words)).toEqual(names);
  });

  test('Sync and state narrow the search', async () => {
    expect(await find('jazz', { sync: 'staff' })).toEqual([jo]);
    expect(await find('jazz', { states: ['failed'] })).toEqual([park]);
  });

  test('Who sees no addresses finds nobody by them', async () => {
    const find2 = (words: string) => find(words, { isMasked: true });
    for (const words of ['mueller@example.edu', 'ada.mueller@example.edu', 'mueller'])
      expect(await find2(words)).toEqual([]);
    for (const words of ['muller', 'ada', 'example.edu professor']) expect(await find2(words)).toEqual([ada]);
    expect(await find2('UID-1@cal.example.edu')).toEqual([jazz]);
    expect(await find2('2027-03-05')).toEqual([jazz]);
  });

  test('A search goes on page by page, without a gap or a repetition', async () => {
    const keys = Array.from({ length: 7 }, (_, place) => `p${place}`);
    for (const key of keys) await add('pages', key, { title: 'Lecture' });
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await searchRecords({ words: 'lect', limit: 3, ...(after && { after }) }, opened.ledger);
      found.push(...page.records.map(({ key }) => key));
      after = page.next;
    } while (after);
    expect(found.toSorted()).toEqual(keys);
  });

  test('More records than PostgreSQL sorts are read in the order of their ids', async () => {
    const rows = Array.from({ length: 2100 }, (_, place) => `m${String(place).padStart(4, '0')}`);
    const { db, findEntries } = database;
    const content = await addContent(db, { title: 'Seminar' });
    await db.transaction().execute(async (transaction) => {
      for (const key of rows) {
        await sql`
          insert into records (sync, key, resource, place, wanted, run, status, knows)
          values ('many', ${key}, 'events', '', ${content}, 'r', 'pending', 'none')
        `.execute(transaction);
      }
    });
    const terms = [...searchTerms('seminar'), { text: syncTerm('many'), isPrefix: false }];
    const ids = await findEntries(db, { terms, after: 0, limit: 2100 });
    expect(ids).toHaveLength(2100);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(await findEntries(db, { terms, after: ids[99] ?? 0, limit: 2 })).toEqual(ids.slice(100, 102));
  });

  test('The index follows changes in their transaction', async () => {
    await add('new', 'a', { title: 'Origami' });
    const change = (set: ReturnType<typeof sql>, key = 'a') =>
      sql`update records set ${set} where sync in ('new', 'renamed') and key = ${key}`.execute(database.db);
    expect(await find('origami')).toEqual(['new/a']);
    await change(sql`wanted = ${await addContent(database.db, { title: 'Calligraphy' })}`);
    expect([await find('origami'), await find('calligraphy')]).toEqual([[], ['new/a']]);
    await change(sql`starts_on = '2031-01-02'`);
    expect(await find('2031-01-02')).toEqual(['new/a']);
    await change(sql`key = 'b'`);
    await change(sql`sync = 'renamed'`, 'b');
    expect([await find('calligraphy'), await find('calligraphy', { sync: 'renamed' })]).toEqual([
      ['renamed/b'],
      ['renamed/b'],
    ]);
    const undone = database.db.transaction().execute(async (transaction) => {
      await sql`delete from records where sync = 'renamed'`.execute(transaction);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await find('calligraphy')).toEqual(['renamed/b']);
    await sql`delete from records where sync = 'renamed'`.execute(database.db);
    expect(await find('calligraphy')).toEqual([]);
    if (engine === 'sqlite') {
      // Fails if the index has other words than the records
      await sql`insert into search_words (search_words, rank) values ('integrity-check', 1)`.execute(database.db);
    } else {
      const { rows } = await sql`select id from search_words except select id from records`.execute(database.db);
      expect(rows).toEqual([]);
    }
  });
});
