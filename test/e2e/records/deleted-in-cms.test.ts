import { describe, expect, test } from 'vitest';
import {
  illustratedTalks,
  setFaults,
  writeIllustratedSync,
  writeIllustratedTalks,
  writePeople,
  writePeopleSync,
} from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { startRecordingProxy } from '../recording-proxy.ts';
import { runHere } from '../run-here.ts';
import { openSite, png, type Site, simplest, writeTarget } from '../site.ts';

const talks = illustratedTalks();

async function publishedSite(more = '', engines = simplest): Promise<Site> {
  const site = await openSite(engines, { target: '  movedFrom: ${OLD_URL:-https://www.example.edu}\n' });
  site.write('syncs/feeds/a.png', png(1));
  writeIllustratedSync(site, more);
  writeIllustratedTalks(site, ...talks);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 3 } }]);
  return site;
}

async function idOf(site: Site, title: string): Promise<number> {
  const found = (await site.items('calendar/events')).filter((event) => event.title === title);
  expect(found).toHaveLength(1);
  return found[0]?.id ?? 0;
}

const remove = (site: Site, id: number) => site.request('DELETE', `api/v1/calendar/events/${id}`);

describe('Items deleted in the CMS', () => {
  test('A deleted item stays deleted: it is reported once, then skipped without requests, and never missing', async () => {
    await using site = await publishedSite();
    await remove(site, await idOf(site, 'Maps'));

    writeIllustratedTalks(site, 'T1,New maps,2027-03-01,18:00,,a.png', ...talks.slice(1));
    expect(await site.sync()).toMatchObject([
      { status: 'success', counts: { read: 3, skipped: 1, unchanged: 2, updated: 0, failed: 0, missing: 0 } },
    ]);
    // It is looked at before it is changed.
    expect(site.writes()).toEqual({});

    writeIllustratedTalks(site, 'T1,Newest maps,2027-03-01,19:00,,a.png', ...talks.slice(1));
    const before = site.sandbox.stats().total;
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: 3, skipped: 1, unchanged: 2 } }]);
    writeIllustratedTalks(site, ...talks.slice(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: 2, unchanged: 2, missing: 0 } }]);
    expect(await site.retry('talks')).toBeUndefined();
    expect(site.sandbox.stats().total).toBe(before);
    expect(await site.items('calendar/events')).toHaveLength(2);
  });

  test.each(either(1))(
    'A deleted item is recreated in the same run if the sync says so, without uploading its files again, on $ledger with $queue',
    async (engines) => {
      await using site = await publishedSite('onDeletedInCms: recreate', engines);
      const before = await idOf(site, 'Maps');
      await remove(site, before);
      writeIllustratedTalks(site, 'T1,New maps,2027-03-01,18:00,,a.png', ...talks.slice(1));
      expect(await site.sync()).toMatchObject([
        { status: 'success', counts: { read: 3, created: 1, skipped: 0, unchanged: 2 } },
      ]);
      expect(site.writes()).toEqual({ 'POST /calendar/events': 1 });
      expect(await idOf(site, 'New maps')).not.toBe(before);
      expect((await site.explain('talks', 'T1')).history.map(({ outcome }) => outcome)).toEqual([
        'created',
        'deleted',
        'created',
      ]);
      expect(await site.sync()).toMatchObject([{ counts: { unchanged: 3 } }]);
      expect(site.writes()).toEqual({});
    },
  );

  test('A deleted item is recreated if the sync is changed to say so later', async () => {
    await using site = await publishedSite();
    await remove(site, await idOf(site, 'Ships'));
    writeIllustratedTalks(site, talks[0]!, 'T2,Boats,2027-03-02,10:00,,', talks[2]!);
    await site.sync();
    writeIllustratedSync(site, 'onDeletedInCms: recreate');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, unchanged: 2 } }]);
    await idOf(site, 'Boats');
  });
});

test('A deleted item is noticed when it is only read to look for edits', async () => {
  await using site = await publishedSite('authority: { description: editor }');
  await remove(site, await idOf(site, 'Maps'));
  writeIllustratedTalks(site, 'T1,Maps,2027-03-01,18:00,New text,a.png', ...talks.slice(1));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { skipped: 1, unchanged: 2 } }]);
  expect(site.writes()).toEqual({});
});

test('A deleted item is not created again if the CMS has it under another id', async () => {
  await using site = await publishedSite('onDeletedInCms: recreate');
  const [item] = (await site.items('calendar/events')).filter(({ title }) => title === 'Maps');
  await remove(site, item?.id ?? 0);
  await site.request('POST', 'api/v1/calendar/events', item);
  const copy = await idOf(site, 'Maps');
  site.writes();
  writeIllustratedTalks(site, 'T1,New maps,2027-03-01,18:00,,a.png', ...talks.slice(1));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { failed: 0 } }]);
  expect(await idOf(site, 'New maps')).toBe(copy);
});

test.each([
  ['leave', { skipped: 1 }, []],
  ['recreate', { created: 1 }, [{ title: 'Maps' }]],
])(
  'An item that editors delete between its look-up and its update counts as deleted (%s)',
  async (rule, counts, items) => {
    await using site = await openSite(simplest);
    await using proxy = await startRecordingProxy(site.sandbox.url);
    site.variables.CMS_BASE_URL = proxy.url;
    writeTarget(site, '  maxAttempts: 1\n  lookupAfter: 100ms\n');
    writeIllustratedSync(site, `onDeletedInCms: ${rule}`);
    writeIllustratedTalks(site, 'T1,Maps,2027-03-01,18:00,,');
    // Another item shows that the lists work.
    const time = { start: '09:00:00', type: 'timed' };
    const opening = { title: 'Opening', date: '2027-09-01', endDate: '2027-09-01', time };
    await site.request('POST', 'api/v1/calendar/events', opening);
    await setFaults(site, { kind: 'error', status: 502, when: 'after', method: 'POST', times: 1 });
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 1 } }]);

    proxy.intercept = async ({ operation }) => {
      if (operation.startsWith('PATCH')) await remove(site, await idOf(site, 'Maps'));
      return undefined;
    };
    expect(await site.sync()).toMatchObject([{ status: 'success', counts }]);
    const others = (await site.items('calendar/events')).filter(({ title }) => title !== 'Opening');
    expect(others).toMatchObject(items);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { failed: 0, created: 0 } }]);
  },
);

test('A new key does not recreate a deleted item', async () => {
  await using site = await publishedSite();
  await remove(site, await idOf(site, 'Maps'));
  writeIllustratedTalks(site, 'T1,Maps,2027-03-01,18:00,New text,a.png', ...talks.slice(1));
  await site.sync();
  site.writes();
  writeIllustratedTalks(site, 'X1,Maps,2027-03-01,18:00,New text,a.png', ...talks.slice(1));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: 3, skipped: 1, unchanged: 2 } }]);
  expect(site.writes()).toEqual({});
});

test('Explain and status show a deleted item and the remedy', async () => {
  await using site = await publishedSite();
  const id = await idOf(site, 'Maps');
  await remove(site, id);
  writeIllustratedTalks(site, 'T1,New maps,2027-03-01,18:00,,a.png', ...talks.slice(1));
  await site.sync();
  expect(await site.explain('talks', 'T1')).toMatchObject({
    record: { status: 'deleted', outcome: 'skipped', error: { code: 'FF_CMS_DELETED' } },
    verdict: {
      is: 'skipped',
      why: expect.stringMatching(`FF_CMS_DELETED "T1" was deleted in the CMS, where it was item ${id}`),
      next: expect.stringMatching(/onDeletedInCms: recreate.*--adopt/),
    },
  });
  const status = await runHere(['status', '--json'], site.variables);
  expect(status.json()).toMatchObject({
    syncs: [{ undelivered: { pending: 0, failed: 0, held: 0 } }],
    attention: [],
  });
  const { stdout } = await runHere(['explain', 'talks', 'T1'], site.variables);
  expect(stdout).toMatch(/\(T1\) of talks\n.*State: Deleted in the CMS/s);

  writeIllustratedSync(site, 'onDeletedInCms: recreate');
  expect((await site.explain('talks', 'T1')).verdict).toMatchObject({
    is: 'create',
    why: expect.stringContaining('FF_CMS_DELETED'),
    next: 'The next run creates it.',
  });
});

test.each(either(1))(
  'A person has one deleted item created again, and then it stays as any other, on $ledger with $queue',
  async (engines) => {
    await using site = await publishedSite('', engines);
    await remove(site, await idOf(site, 'Maps'));
    await remove(site, await idOf(site, 'Ships'));
    writeIllustratedTalks(site, ...talks.map((row) => row.replace(/Maps|Ships/, 'New $&')));
    await site.sync();
    const retry = (...args: string[]) => runHere(['retry', 'talks', ...args, '--json'], site.variables);
    expect((await retry('T1')).json()).toEqual({ runs: [] });
    expect(await retry('--recreate')).toMatchObject({ exitCode: 2 });
    expect((await retry('T1', '--recreate')).json()).toMatchObject({
      runs: [{ status: 'success', counts: { created: 1 } }],
    });
    expect((await site.items('calendar/events')).map(({ title }) => title)).toEqual(
      expect.not.arrayContaining(['New Ships']),
    );
    expect((await site.items('calendar/events')).map(({ title }) => title)).toContain('New Maps');
    expect(await site.explain('talks', 'T1')).toMatchObject({
      record: { status: 'delivered' },
      verdict: { is: 'unchanged' },
    });
    expect((await retry('T1', '--recreate')).json()).toEqual({ runs: [] });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, updated: 0 } }]);
  },
);

test('A recreated account gets a password', async () => {
  await using site = await openSite(simplest);
  await using proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  const map = 'username: login, firstName: first, password: secret';
  writePeopleSync(site, 'onDeletedInCms: recreate', { key: 'login', map });
  const write = (first: string, secret: string) => writePeople(site, { login: 'ada', first, secret });
  write('Ada', 'her first password');
  await site.sync();
  const [account] = await site.items('account/accounts');
  await site.request('POST', 'api/v1/account/accounts', { username: 'editor' });
  await site.request('DELETE', `api/v1/account/accounts/${account?.id}`);
  write('Augusta', 'her second password');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
  const creates = proxy.requests.filter(({ operation }) => operation.startsWith('POST'));
  expect(creates.map(({ body }) => JSON.parse(body))).toMatchObject([
    { firstName: 'Ada', password: 'her first password' },
    { firstName: 'Augusta', password: 'her second password' },
  ]);
});

test('A 404 for an upload does not count as a deleted item', async () => {
  await using site = await publishedSite();
  await using proxy = await startRecordingProxy(site.sandbox.url);
  proxy.intercept = async ({ operation }) =>
    operation.includes('/upload')
      ? { status: 404, body: '{"errors":[{"code":404,"title":"Not Found","detail":"No such attribute"}]}' }
      : undefined;
  site.variables.OLD_URL = site.sandbox.url;
  site.variables.CMS_BASE_URL = proxy.url;
  writeIllustratedSync(site, 'onAttachmentError: hold');
  site.write('syncs/feeds/b.png', png(2));
  writeIllustratedTalks(site, 'T1,Maps,2027-03-01,18:00,,b.png', ...talks.slice(1));
  expect(await site.sync()).toMatchObject([
    { status: 'partial', counts: { held: 1, skipped: 0 }, problems: [{ key: 'T1', code: 'FF_ATTACHMENT_UPLOAD' }] },
  ]);
});

test('A wrong instance fails the run, and no item counts as deleted', async () => {
  await using site = await openSite(simplest, { switches: { instances: ['main', 'other'] } });
  const changed = talks.map((row) => row.replace('2027', '2028'));
  writeIllustratedSync(site, 'instance: main');
  writeIllustratedTalks(site, ...talks.map((row) => row.replace('a.png', '')));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 3 } }]);
  writeIllustratedSync(site, 'instance: mian');
  writeIllustratedTalks(site, ...changed.map((row) => row.replace('a.png', '')));
  expect(await site.sync()).toMatchObject([
    { status: 'failed', error: { code: 'FF_DESTINATION_CHANGED' }, counts: { skipped: 0 } },
  ]);
  expect(await site.retry('talks')).toBeUndefined();
  writeIllustratedSync(site, 'instance: main');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3 } }]);
});
