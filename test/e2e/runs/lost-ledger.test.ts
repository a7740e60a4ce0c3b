import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { syncRun } from '../../../src/sync/runs/sync-run.ts';
import { createDatabase } from '../../support/engines.ts';
import { either } from '../in-turn.ts';
import { startRecordingProxy } from '../recording-proxy.ts';
import { type Item, openSite, type Site, simplest } from '../site.ts';

interface Talk {
  id: string;
  title: string;
  day: string;
}

const talk = (id: number, more: Partial<Talk> = {}): Talk => ({
  id: `T${id}`,
  title: `Talk ${id}`,
  day: `2027-03-${String(id).padStart(2, '0')}`,
  ...more,
});
const talks = (...ids: number[]) => ids.map((id) => talk(id));

function writeTalks(site: Site, records: readonly Talk[], more = ''): void {
  site.write(
    'syncs/talks.yaml',
    `resource: events
source: { connector: json, url: ./feeds/talks.json }
key: id
map: { title: title, date: day, time.start: { value: "18:00" } }
${more}`,
  );
  site.write('syncs/feeds/talks.json', JSON.stringify(records));
}

/** Begins a new, empty ledger. */
async function loseLedger(site: Site): Promise<void> {
  site.variables.FEEDFERRY_DATA = join(site.dir, 'other');
  if (!site.variables.DATABASE_URL) return;
  const database = await createDatabase();
  onTestFinished(() => database.drop());
  site.variables.DATABASE_URL = database.url;
}

const events = (site: Site) => site.items('calendar/events', '&sort=+id');
const lists = (site: Site) => site.sandbox.stats().requests['GET /calendar/events'] ?? 0;

async function post(site: Site, { title, day }: Talk, more: object = {}): Promise<Item> {
  const time = { start: '18:00:00', type: 'timed' };
  return site.request('POST', 'api/v1/calendar/events', { title, date: day, endDate: day, time, ...more });
}

describe('A lost ledger', () => {
  test.each(either(1))(
    'External ids in the CMS restore it, whatever has changed since, on $ledger with $queue',
    async (engines) => {
      await using site = await openSite(engines);
      writeTalks(site, talks(1, 2, 3, 4, 5));
      await site.sync();
      const before = await events(site);
      site.writes();

      await loseLedger(site);
      // 1 is as it was, 2 has moved, 3 is rejected, 4 is missing, 6 is new.
      const changed = [talk(1), talk(2, { day: '2028-01-01' }), talk(3, { day: '' }), talk(5), talk(6)];
      writeTalks(site, changed);
      expect(await site.withContext(planRun)).toMatchObject({ creates: 1, updates: 3 });
      expect(site.writes()).toEqual({});
      expect(await site.sync()).toMatchObject([
        { status: 'partial', counts: { created: 1, updated: 1, unchanged: 2, rejected: 1 } },
      ]);
      expect(site.writes()).toEqual({ 'POST /calendar/events': 1, 'PATCH /calendar/events/:id': 1 });
      expect(await events(site)).toMatchObject([...before.map(({ id }) => ({ id })), { source_key: 'talks:T6' }]);

      const listed = lists(site);
      writeTalks(site, talks(1, 2, 3, 4, 5, 6, 7));
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
      expect(await events(site)).toHaveLength(7);
      // One page shows that the CMS responds, and whether its newest items are known, another the items that look like the new
      // record. The third list is this test's.
      expect(lists(site) - listed).toBe(3);
    },
  );

  test('Records whose external id is on several items are held until it is unique', async () => {
    await using site = await openSite(simplest);
    writeTalks(site, talks(1, 2));
    await site.sync();
    const copy = await post(site, talk(9), { source_key: 'talks:T1' });
    await loseLedger(site);
    expect(await site.sync()).toMatchObject([
      { status: 'partial', counts: { held: 1, unchanged: 1 }, problems: [{ key: 'T1', code: 'FF_ADOPT_AMBIGUOUS' }] },
    ]);
    writeTalks(site, talks(1, 2, 3, 4, 5));
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 1, created: 3 } }]);
    await site.request('DELETE', `api/v1/calendar/events/${copy.id}`);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 5 } }]);
    expect(await events(site)).toHaveLength(5);
  });

  test('A record that comes back finds its deleted item, if a restored CMS has that again', async () => {
    await using site = await openSite(simplest);
    const deletes = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }';
    writeTalks(site, talks(1, 2, 3), deletes);
    await site.sync();
    writeTalks(site, talks(1), deletes);
    expect(await site.sync()).toMatchObject([{ counts: { deleted: 2 } }]);
    const { id } = await post(site, talk(2), { source_key: 'talks:T2' });
    writeTalks(site, [talk(1), talk(2, { title: 'Back again' }), talk(3)], deletes);
    expect(await site.sync()).toMatchObject([{ counts: { created: 1, updated: 1, unchanged: 1 } }]);
    expect(await events(site)).toMatchObject([{ title: 'Talk 1' }, { id, title: 'Back again' }, { title: 'Talk 3' }]);
  });

  test('A renamed sync finds its items under the former name', async () => {
    await using site = await openSite(simplest);
    writeTalks(site, talks(1, 2));
    await site.sync();
    rmSync(join(site.dir, 'config/syncs/talks.yaml'));
    await loseLedger(site);
    writeTalks(site, talks(1, 2), 'renamedFrom: talks\n');
    cpSync(join(site.dir, 'config/syncs/talks.yaml'), join(site.dir, 'config/syncs/lectures.yaml'));
    rmSync(join(site.dir, 'config/syncs/talks.yaml'));
    expect(await site.sync()).toMatchObject([{ sync: 'lectures', status: 'success', counts: { created: 0 } }]);
    const marks = (await events(site)).map(({ source_key }) => source_key);
    expect(marks.sort()).toEqual(['lectures:T1', 'lectures:T2']);
  });

  test('A backfill finds the items of all its records', async () => {
    await using site = await openSite(simplest);
    const many = Array.from({ length: 130 }, (_, index) => talk(index, { day: '2027-04-01' }));
    writeTalks(site, many);
    await site.sync();
    site.writes();
    await loseLedger(site);
    expect(await site.withContext((context) => syncRun(context, {}))).toMatchObject({
      status: 'success',
      counts: { read: 130, created: 0 },
    });
    expect(site.writes()['POST /calendar/events']).toBeUndefined();
  });
});

test('A ledger that is older than the CMS finds what was created since', async () => {
  await using site = await openSite(simplest);
  const [data, backup] = ['data', 'backup'].map((name) => join(site.dir, name)) as [string, string];
  writeTalks(site, talks(1, 2, 3, 4));
  await site.sync();
  cpSync(data, backup, { recursive: true });
  writeTalks(site, talks(1, 2, 3, 4, 5, 6));
  await site.sync();
  rmSync(data, { recursive: true });
  cpSync(backup, data, { recursive: true });
  writeTalks(site, talks(1, 2, 3, 4, 5, 6, 7));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, unchanged: 6 } }]);
  expect(await events(site)).toHaveLength(7);
});

describe('A first run', () => {
  test('It is held if it would double what the site has, and an approval settles it', async () => {
    await using site = await openSite(simplest);
    for (const each of talks(1, 2, 3, 4)) await post(site, each);
    writeTalks(site, talks(1, 2, 3, 4, 5));
    const held = {
      status: 'held',
      error: { code: 'FF_GUARD_DUPLICATES', message: expect.stringContaining(' 4 records') },
    };
    expect(await site.withContext(planRun)).toMatchObject(held);
    const [report] = await site.sync();
    expect(report).toMatchObject({ ...held, counts: { read: 5, held: 5 } });
    expect(site.writes()).toEqual({});
    expect(await site.approve('talks', report?.run ?? '')).toMatchObject({ status: 'success', counts: { created: 5 } });
    writeTalks(site, talks(1, 2, 3, 4, 5, 6, 7));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2 } }]);
  });

  test('It holds only the records of a few similar items, and nothing if the sync adopts them', async () => {
    await using site = await openSite(simplest);
    for (const each of talks(1, 2, 3)) await post(site, each);
    writeTalks(site, talks(1, 2, 3, 4, 5));
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { created: 2, held: 3 } }]);
    await loseLedger(site);
    for (const { id } of (await events(site)).slice(3)) await site.request('DELETE', `api/v1/calendar/events/${id}`);
    for (const each of talks(4, 5)) await post(site, each);
    expect(await site.sync()).toMatchObject([{ status: 'held', error: { code: 'FF_GUARD_DUPLICATES' } }]);
    writeTalks(site, talks(1, 2, 3, 4, 5), 'adopt: { match: [title, date] }\n');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, updated: 5 } }]);
  });
});

test('A first run is held by the e-mail addresses of accounts, and so is a backfill by its events', async () => {
  await using site = await openSite(simplest);
  const people = [1, 2, 3, 4].map((id) => ({ id, email: `p${id}@example.edu` }));
  for (const { email } of people) await site.request('POST', 'api/v1/account/accounts', { email });
  for (const each of talks(1, 2, 3, 4)) await post(site, each);
  site.write(
    'syncs/people.yaml',
    'resource: accounts\nsource: { connector: json, url: ./feeds/people.json }\nkey: id\nmap: { email: email }\n',
  );
  site.write('syncs/feeds/people.json', JSON.stringify(people));
  writeTalks(site, talks(1, 2, 3, 4));
  const held = { status: 'held', error: { code: 'FF_GUARD_DUPLICATES' } };
  expect(await site.sync(['people'])).toMatchObject([held]);
  expect(await site.withContext((context) => syncRun(context, {}), { sync: 'talks' })).toMatchObject(held);
  expect(site.writes()).toEqual({});
});

test('A plan fails without the CMS, and shows its changes', async () => {
  await using site = await openSite(simplest, { faults: { faults: [{ kind: 'error', status: 404, method: 'GET' }] } });
  writeTalks(site, talks(1));
  expect(await site.withContext(planRun)).toMatchObject({ status: 'failed', creates: 1 });
});

test('A list that shows fewer items than the CMS counts proves nothing', async () => {
  await using site = await openSite(simplest, { target: '  movedFrom: ${OLD_URL:-https://www.example.edu}\n' });
  writeTalks(site, talks(1, 2));
  await site.sync();
  await loseLedger(site);
  site.writes();
  await using proxy = await startRecordingProxy(site.sandbox.url);
  const empty = {
    data: [],
    pagination: { currentPage: 1, perPage: 100, count: 0, totalPages: 1, total: 2 },
    totalItems: 2,
  };
  proxy.intercept = async ({ operation }) =>
    operation.startsWith('GET') ? { status: 200, body: JSON.stringify(empty) } : undefined;
  site.variables.CMS_BASE_URL = proxy.url;
  const held = { status: 'held', error: { code: 'FF_CMS_UNPROVEN', message: expect.stringContaining('2 items') } };
  expect(await site.withContext(planRun)).toMatchObject(held);
  const [report] = await site.sync();
  expect(report).toMatchObject(held);
  expect(site.writes()).toEqual({});

  delete proxy.intercept;
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, unchanged: 2 } }]);
  expect(await events(site)).toHaveLength(2);
});
