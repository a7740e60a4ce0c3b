import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

// What every ledger owes to records that the CMS has already, to editors, and to passwords.
describe.each(ledgerEngines.filter(hasEngine))('Adoption, edits and passwords on %s', (engine) => {
  const opened = withLedger(engine);
  let ledger: Ledger;

  beforeAll(() => {
    ledger = opened.ledger;
  });

  async function stageCreates(sync: string, keys: string[]): Promise<string> {
    const run = await ledger.runs.begin(sync, 'run');
    await ledger.plans.add(
      keys.map((key) => ({
        run,
        key,
        op: 'create' as const,
        place: 'line 1',
        resource: 'accounts',
        desired: `{"username":"${key}"}`,
        attachments: '[]',
        hash: `h-${key}`,
        changed: '["username"]',
        password: `sealed-${key}`,
      })),
    );
    return run;
  }

  async function storedPasswords(sync: string): Promise<unknown[]> {
    const query = `select password from record_contents where sync = '${sync}'`;
    if (!opened.databaseUrl) {
      using file = new DatabaseSync(join(opened.dataDir, 'ledger.sqlite'));
      return file
        .prepare(query)
        .all()
        .map(({ password }) => password);
    }
    const client = new pg.Client({ connectionString: opened.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ password: unknown }>(query);
    await client.end();
    return rows.map(({ password }) => password);
  }

  async function keysOf(run: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const creates of ledger.plans.newcomers(run, 'pages')) keys.push(...creates.map(({ key }) => key));
    return keys;
  }

  const retry = {
    is: 'retry',
    code: 'FF_CMS_SERVER',
    reason: '500',
    afterMs: 0,
    uploads: 0,
  } as const;
  const created = {
    is: 'created',
    cmsId: 1,
    delivered: { username: 'a' },
    deliveredAttachments: {},
    editorState: { username: { written: 'A', overruled: null } },

    uploads: 0,
  } as const;

  test('The creates of a plan are read in pages, each once', async () => {
    const keys = Array.from({ length: 1001 }, (_, index) => `k${index}`);
    const run = await stageCreates('pages', keys);
    expect((await keysOf(run)).sort()).toEqual(keys.sort());
  });

  test('An adopted record has the id and values of its item, and is delivered as an update without a password', async () => {
    const run = await stageCreates('adopt', ['a', 'b']);
    const adoption = { key: 'a', cmsId: 70, delivered: { username: 'A' }, editorState: { x: { written: null } } };
    await ledger.plans.adopt(run, [{ ...adoption, changed: ['username'] }]);
    expect(await keysOf(run)).toEqual(['b']);
    expect(await ledger.plans.summarise(run)).toMatchObject({ counts: { read: 2 }, creates: 1, updates: 1 });
    expect((await Array.fromAsync(ledger.plans.changes(run, 'adopt'))).flat()).toMatchObject([
      { key: 'a', op: 'update', adopts: 70, delivered: { username: 'A' }, changed: ['username'] },
      { key: 'b', op: 'create', delivered: null },
    ]);
    await ledger.plans.apply(run, 'adopt');
    expect(await ledger.records.claim('adopt', ['a'], 60_000)).toMatchObject([
      {
        ...{ key: 'a', desired: { username: 'a' }, knows: 'known', open: [] },
        item: { cmsId: 70, delivered: { username: 'A' }, editorState: { x: { written: null } } },
      },
    ]);
    expect((await storedPasswords('adopt')).toSorted()).toEqual([null, 'sealed-b']);
    expect([...(await ledger.records.ownersOf('accounts', [70])).keys()]).toEqual([70]);
    expect(await ledger.plans.countDelivered('adopt')).toBe(1);
  });

  test('A record that the plan holds is counted, listed and not delivered, and the next run may release it', async () => {
    const run = await stageCreates('held', ['a', 'b']);
    const problem = { key: 'a', code: 'FF_ADOPT_AMBIGUOUS', reason: 'two of them' } as const;
    await ledger.plans.hold(run, [problem]);
    expect(await ledger.plans.problems(run)).toMatchObject([problem]);
    expect(await ledger.plans.apply(run, 'held')).toEqual(['b']);
    const [b] = await ledger.records.claim('held', ['a', 'b'], 60_000);
    await ledger.records.settle(b!, { ...created, cmsId: 80 });
    await ledger.runs.finish(run);
    expect(await ledger.runs.report(run)).toMatchObject({
      status: 'partial',
      counts: { created: 1, held: 1 },
      problems: [problem],
    });
    const next = await stageCreates('held', ['a']);
    expect(await ledger.plans.apply(next, 'held')).toEqual(['a']);
    expect(await ledger.records.claim('held', ['a'], 60_000)).toMatchObject([{ key: 'a', knows: 'none' }]);
  });

  test('A record that was planned but never sent may be on one of the newest items: the ledger may be older', async () => {
    const planned = await stageCreates('older', ['a', 'b', 'c', 'd']);
    await ledger.plans.apply(planned, 'older');
    const [b] = await ledger.records.claim('older', ['b'], 60_000);
    await ledger.records.settle(b!, { ...created, cmsId: 90 });
    const [c] = await ledger.records.claim('older', ['c'], 60_000);
    await ledger.records.settle(c!, { ...retry, doubt: 'sent' });
    await ledger.runs.finish(planned);

    const run = await stageCreates('older', ['a', 'c', 'd', 'e']);
    const seen = await ledger.plans.unseenCreates(run, 'older', ['a', 'b', 'c']);
    expect(seen).toEqual({ unseen: 1, known: 1, returning: 0, marked: 1 });
    const newcomers = (await Array.fromAsync(ledger.plans.newcomers(run, 'older'))).flat();
    expect(newcomers.filter(({ isUnseen }) => isUnseen).map(({ key }) => key)).toEqual(['e']);
    // What was sent is looked up when it is delivered.
    expect(newcomers.filter(({ isUnsent }) => isUnsent).map(({ key }) => key)).toEqual(['a', 'd', 'e']);
  });

  test('An item with an external id belongs again to a record that was deleted, and not to one that has an item', async () => {
    const run = await stageCreates('found again', ['a', 'b', 'c', 'e']);
    await ledger.plans.apply(run, 'found again');
    const records = await ledger.records.claim('found again', ['a', 'b', 'c'], 60_000);
    const gone = { is: 'deleted', recreate: false, code: 'FF_CMS_DELETED', reason: 'gone', uploads: 0 } as const;
    const settlements = { a: gone, b: { is: 'removed', uploads: 0 } as const, c: { ...created, cmsId: 170 } };
    for (const record of records) {
      await ledger.records.settle(record, settlements[record.key as keyof typeof settlements]);
    }
    const items = ['a', 'b', 'c', 'd', 'e'].map((key, nth) => ({
      key,
      cmsId: 171 + nth,
      resource: 'accounts' as const,
      delivered: {},
    }));
    const knownIds = async () => {
      const known = await ledger.plans.known('found again', ['a', 'b', 'c', 'd', 'e']);
      return Object.fromEntries([...known].map(([key, { cmsId }]) => [key, cmsId]));
    };
    /** A run whose source no longer has what was planned, but never sent. */
    const withoutE = async () => {
      const next = await ledger.runs.begin('found again', 'run');
      await ledger.plans.apply(next, 'found again', { provesAbsence: {} });
      await ledger.runs.finish(next);
    };
    await ledger.plans.relink('found again', items);
    // A run that is under way counts what it has removed.
    expect(await knownIds()).toMatchObject({ a: null, b: null, c: 170, d: 174, e: null });
    await ledger.runs.finish(run);
    await withoutE();
    await ledger.plans.relink('found again', items);
    expect(await knownIds()).toEqual({ a: 171, b: 172, c: 170, d: 174, e: 175 });
  });

  test('An item that was removed after a run began to read does not return to its record, although its list still shows it', async () => {
    const first = await stageCreates('late removal', ['a']);
    await ledger.plans.apply(first, 'late removal');
    const [record] = await ledger.records.claim('late removal', ['a'], 60_000);
    await ledger.runs.finish(first);
    const run = await ledger.runs.begin('late removal', 'run');
    await ledger.records.settle(record!, { is: 'removed', uploads: 0 });
    const items = [{ key: 'a', cmsId: 180, resource: 'accounts' as const, delivered: {} }];
    const cmsId = async () => (await ledger.plans.known('late removal', ['a'])).get('a')?.cmsId;
    await ledger.plans.relink('late removal', items, run);
    expect(await cmsId()).toBe(null);
    await ledger.runs.finish(run);
    await ledger.plans.relink('late removal', items);
    expect(await cmsId()).toBe(180);
  });

  test('A password is kept while the create is tried, and deleted when it succeeds', async () => {
    const run = await stageCreates('password', ['a']);
    await ledger.plans.apply(run, 'password');
    const [first] = await ledger.records.claim('password', ['a'], 60_000);
    expect(first).toMatchObject({ password: 'sealed-a' });
    await ledger.records.settle(first!, retry);
    const [second] = await ledger.records.claim('password', ['a'], 60_000);
    expect(second).toMatchObject({ password: 'sealed-a' });
    expect(await storedPasswords('password')).toEqual(['sealed-a']);
    await ledger.records.settle(second!, created);
    expect(await storedPasswords('password')).toEqual([null]);
    await ledger.runs.finish(run);

    expect((await ledger.plans.known('password', ['a'])).get('a')).toMatchObject({
      cmsId: 1,
      editorState: created.editorState,
    });
    const next = await stageCreates('password', ['a']);
    await ledger.plans.apply(next, 'password');
    expect(await ledger.records.claim('password', ['a'], 60_000)).toMatchObject([
      { knows: 'known', item: { cmsId: 1 } },
    ]);
    expect(await storedPasswords('password')).toEqual([null]);
  });

  test('A reverted change keeps the missing file of a record pending', async () => {
    const run = await stageCreates('back', ['a']);
    await ledger.plans.apply(run, 'back');
    const [record] = await ledger.records.claim('back', ['a'], 60_000);
    await ledger.records.settle(record!, { ...created, cmsId: 190, incomplete: { files: {}, retryAfterMs: 0 } });
    await ledger.runs.finish(run);
    const failing = await stageCreates('back', ['a']);
    await ledger.plans.apply(failing, 'back');
    await ledger.runs.finish(failing);
    const last = await ledger.runs.begin('back', 'run');
    await ledger.plans.add([{ run: last, key: 'a', op: 'unchanged', place: 'line 1' }]);
    expect(await ledger.plans.apply(last, 'back')).toEqual([]);
    expect(await ledger.records.state('back', 'a')).toMatchObject({ status: 'delivered' });
  });
});
