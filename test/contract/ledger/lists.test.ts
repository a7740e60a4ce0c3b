import { setTimeout as sleep } from 'node:timers/promises';
import type { Insertable } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zeroCounts } from '../../../src/core/run.ts';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import type { LedgerDatabase, RecordsTable } from '../../../src/ledger/database/schema.ts';
import { addContent } from '../../support/contents.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

const ALL = { limit: 100 };
const inCms = { knows: 'known', has: 1 } as const;

// What lists of records and runs read, on SQLite and on PostgreSQL.
describe.each(ledgerEngines.filter(hasEngine))('Lists of a ledger on %s', (engine) => {
  const opened = withLedger(engine);
  let database: LedgerDatabase;

  beforeAll(async () => {
    const { dataDir, databaseUrl } = opened;
    database = await openDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) });
    await add('arts', 'a', { status: 'failed', error: '{"code":"FF_CMS_UNPROCESSABLE","reason":"no title"}' });
    await add('arts', 'b', { ...inCms, cms_id: 7, delivered_at: 0 });
    await add('arts', 'c', { status: 'failed', goal: 'leave' });
    await add('arts', 'd', { status: 'pending' });
    await add('arts', 'e', { status: 'pending' });
    await add('talks', 'a', { ...inCms, cms_id: 7, resource: 'accounts' });
    await add('talks', 'b', { status: 'removed' });
  });

  afterAll(() => database.db.destroy());

  async function add(sync: string, key: string, more: Partial<RecordsTable>) {
    const content = { wanted: await addContent(database.db, { title: `${sync} ${key}` }), run: 'r' };
    const counts = { attempts: 0 };
    const record = { sync, key, resource: 'events', place: 'line 2', status: 'delivered', ...content, ...counts };
    const row = { ...record, goal: 'have' as const, missing_runs: 0, knows: 'none', ...more };
    return database.db
      .insertInto('records')
      .values(row as Insertable<RecordsTable>)
      .execute();
  }

  const names = (records: ReadonlyArray<{ sync: string; key: string }>) =>
    records.map(({ sync, key }) => `${sync}/${key}`);

  test('Records are read in the order of syncs and keys, from any of them', async () => {
    const { records } = opened.ledger;
    expect(await records.syncsWithRecords()).toEqual(['arts', 'talks']);
    const all = await records.listed(ALL);
    expect(names(all)).toEqual(['arts/a', 'arts/b', 'arts/c', 'arts/d', 'arts/e', 'talks/a', 'talks/b']);
    expect(all[1]).toMatchObject({ payload: { title: 'arts b' }, cmsId: 7, deliveredAt: '1970-01-01T00:00:00.000Z' });
    expect(all[0]).toMatchObject({ cmsId: null, error: { code: 'FF_CMS_UNPROCESSABLE', reason: 'no title' } });
    expect(names(await records.listed({ after: { sync: 'arts', key: 'd' }, limit: 2 }))).toEqual(['arts/e', 'talks/a']);
    expect(names(await records.listed({ sync: 'arts', after: { sync: 'arts', key: 'd' }, limit: 2 }))).toEqual([
      'arts/e',
    ]);
    const arts = await Array.fromAsync(records.each('arts'));
    expect(arts.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(arts[1]).toEqual({ key: 'b', payload: { title: 'arts b' }, cmsId: 7 });
  });

  test('Records are found by state, key and the id of their item', async () => {
    const { records } = opened.ledger;
    const failed = { sync: 'arts', status: 'failed' } as const;
    expect(names(await records.listed({ ...failed, limit: 5 }))).toEqual(['arts/a', 'arts/c']);
    expect(names(await records.listed({ ...failed, after: { sync: 'arts', key: 'a' }, limit: 5 }))).toEqual(['arts/c']);
    expect(names(await records.named(['arts', 'talks', 'none'], 'a'))).toEqual(['arts/a', 'talks/a']);
    expect(names(await records.withCmsId(7))).toEqual(['arts/b', 'talks/a']);
  });

  test('Undelivered records are counted up to a limit, without those that are not retried', async () => {
    const { records } = opened.ledger;
    const none = { pending: 0, failed: 0, held: 0 };
    expect(await records.countUndelivered(['arts', 'talks', 'none'], 10)).toEqual(
      new Map([
        ['arts', { pending: 2, failed: 1, held: 0 }],
        ['talks', none],
        ['none', none],
      ]),
    );
    expect((await records.countUndelivered(['arts'], 1)).get('arts')).toEqual({ pending: 1, failed: 1, held: 0 });
    expect(await records.countUndelivered([], 1)).toEqual(new Map());
  });

  test('Orphans are the syncs with items, or with creates in doubt', async () => {
    const { records } = opened.ledger;
    await add('old', 'a', { ...inCms, cms_id: 8, status: 'failed' });
    await add('old', 'b', { status: 'held', knows: 'maybe' });
    await add('old', 'c', { status: 'failed', knows: 'maybe' });
    await add('old', 'd', { status: 'failed', knows: 'refused' });
    await add('older', 'a', { status: 'removed' });
    const orphans = await records.orphans(['arts', 'talks']);
    expect(orphans).toEqual([{ sync: 'old', resource: 'events', items: 3 }]);
    await database.db.deleteFrom('records').where('sync', 'in', ['old', 'older']).execute();
  });

  test('The last runs of each sync are read at once, and runs in pages', async () => {
    const { runs } = opened.ledger;
    const begun: string[] = [];
    for (const [sync, kind] of [
      ['arts', 'run'],
      ['arts', 'plan'],
      ['talks', 'run'],
      ['arts', 'run'],
      ['arts', 'approve'],
    ] as const) {
      const run = await runs.begin(sync, kind);
      await runs.finish(run);
      begun.push(run);
      await sleep(2);
    }
    const [first, plan, talk, second, approval] = begun;
    const recent = await runs.recent(['arts', 'talks', 'none'], 2);
    expect([...recent.keys()].sort()).toEqual(['arts', 'talks']);
    expect(recent.get('arts')).toMatchObject([
      { run: approval, kind: 'run', isApproval: true },
      { run: second, isApproval: false, finishedAt: expect.any(String) },
    ]);
    expect(recent.get('arts')?.[0]?.agoMs).toBeLessThan(60_000);
    expect((await runs.recent(['arts'], 30)).get('arts')?.map(({ run }) => run)).toEqual([approval, second, first]);

    const page = async (before?: { run: string; startedAt: number }) => await runs.newest({ before, limit: 3 });
    const newest = await page();
    expect(newest.map(({ run }) => run)).toEqual([approval, second, talk]);
    const last = { run: newest[2]?.run ?? '', startedAt: Date.parse(newest[2]?.startedAt ?? '') };
    expect((await page(last)).map(({ run }) => run)).toEqual([plan, first]);
  });

  test('Runs that changed something are found, and the last of them that is no undo', async () => {
    const { runs } = opened.ledger;
    const finished = async (kind: 'run' | 'undo', updated: number) => {
      const run = await runs.begin('walks', kind);
      await runs.finish(run);
      const counts = JSON.stringify({ ...zeroCounts(), updated });
      await database.db.updateTable('runs').set({ counts }).where('id', '=', run).execute();
      await sleep(2);
      return run;
    };
    const changing = await finished('run', 1);
    await finished('run', 0);
    const undo = await finished('undo', 1);
    const changed = await runs.newest({ sync: 'walks', changed: true, limit: 9 });
    expect(changed.map(({ run }) => run)).toEqual([undo, changing]);
    expect(await runs.lastChanging('walks')).toMatchObject({ run: changing });
    expect(await runs.lastChanging('none')).toBeUndefined();
  });

  test('Rejections are counted by code, in the order of the feed', async () => {
    const { runs } = opened.ledger;
    const run = await runs.begin('rejecting', 'run');
    await runs.addRejections(run, 0, [
      { at: 'line 2', code: 'FF_RECORD_KEY', reason: 'none' },
      { at: 'line 3', code: 'FF_RECORD_DATE', reason: 'not a date', key: 'x' },
      { at: 'line 4', code: 'FF_RECORD_KEY', reason: 'none' },
    ]);
    await runs.record(run, { counts: { ...zeroCounts(), read: 3, rejected: 3 } });
    expect(await runs.countRejections(run)).toEqual([
      { code: 'FF_RECORD_KEY', total: 2, first: { at: 'line 2', code: 'FF_RECORD_KEY', reason: 'none' } },
      {
        code: 'FF_RECORD_DATE',
        total: 1,
        first: { at: 'line 3', code: 'FF_RECORD_DATE', reason: 'not a date', key: 'x' },
      },
    ]);
    expect(await runs.countRejections('none')).toEqual([]);
  });
});
