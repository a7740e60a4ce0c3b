import { describe, expect, test } from 'vitest';
import { purgeRun } from '../../../../src/sync/runs/purge-run.ts';
import { undoRun } from '../../../../src/sync/undo/undo-run.ts';
import { setFaults, threeTalks, writeTalks, writeTalksSync } from '../../fixtures.ts';
import { either, inTurn } from '../../in-turn.ts';
import { type Recorded, type RecordingProxy, startRecordingProxy } from '../../recording-proxy.ts';
import { type Engines, openSite, type Site, simplest, writeTarget } from '../../site.ts';

const DELETE = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }\n';
const ITEM = /events\/(\d+)$/;
const LIST = /^GET .*\/events$/;

/** A CMS that answers each delete, and keeps the item. */
const keeping = {
  204: { kind: 'unapplied', method: 'DELETE' },
  404: { kind: 'error', status: 404, when: 'before', method: 'DELETE' },
} as const;

interface Options {
  engines?: Engines;
  externalId?: boolean;
  talks?: readonly string[];
  attempts?: number;
}

async function delivered({ engines = simplest, externalId = true, talks = threeTalks, attempts = 2 }: Options = {}) {
  const site = await openSite(engines);
  const id = externalId ? '  externalId: source_key\n' : '';
  const proxied = '  movedFrom: $' + '{OLD_URL:-https://www.example.edu}\n';
  writeTarget(
    site,
    `${id}${proxied}  concurrency: 2\n  maxAttempts: ${attempts}\n  backoff: 20ms\n  lookupAfter: 60ms\n`,
  );
  writeTalksSync(site, DELETE);
  writeTalks(site, talks);
  expect(await site.sync()).toMatchObject([{ status: 'success' }]);
  site.writes();
  return site;
}

/** Puts a proxy between feedferry and the CMS. */
async function proxied(site: Site): Promise<RecordingProxy> {
  const proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  site.variables.OLD_URL = site.sandbox.url;
  return proxy;
}

const titles = async (site: Site) => (await site.items('calendar/events')).map(({ title }) => title).sort();
const DELETES = 'DELETE /calendar/events/:id';

/** The answer of the CMS to a request of feedferry. */
async function answerOf(site: Site, { url }: Recorded): Promise<{ data: object[]; totalItems: number }> {
  const headers = { Accept: 'application/json', 'User-Agent': 'test', Authorization: `Bearer ${site.sandbox.token}` };
  return (await fetch(`${site.sandbox.url}${url}`, { headers })).json() as Promise<{
    data: object[];
    totalItems: number;
  }>;
}

describe('A CMS that answers a delete and keeps the item', () => {
  const cases = inTurn([
    { status: 204, externalId: true },
    { status: 204, externalId: false },
    { status: 404, externalId: false },
    { status: 404, externalId: true },
  ] as const);
  const name = 'of a missing record ($status, with external ids: $externalId, on $ledger with $queue)';
  test.each(cases)(name, async ({ status, externalId, ...engines }) => {
    await using site = await delivered({ engines, externalId });
    writeTalks(site, threeTalks.slice(1));
    await setFaults(site, keeping[status]);
    const [run] = await site.sync();
    expect(run).toMatchObject({ status: 'partial', counts: { missing: 1, deleted: 0, unremoved: 1, unchanged: 2 } });
    expect(run?.problems).toMatchObject([
      { key: 'T1', code: 'FF_CMS_NOT_DELETED', reason: expect.stringMatching(/"T1".*item \d+\b.*2 attempts/) },
    ]);
    expect(site.writes()).toEqual({ [DELETES]: 2 });
    await setFaults(site);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 1 } }]);
    expect(await titles(site)).toEqual(['Ships', 'Tides']);
  });

  const statuses = inTurn([{ status: 204 }, { status: 404 }] as const);
  test.each(statuses)('in an undo and in a purge ($status, on $ledger with $queue)', async ({ status, ...engines }) => {
    await using site = await delivered({ engines });
    const [first] = await site.withApp(({ ledger }) => ledger.runs.newest({ limit: 1 }));
    const undo = () => site.withContext((context) => undoRun(first?.run ?? '', context));
    const purge = () => site.withContext((context) => purgeRun(context));
    await setFaults(site, keeping[status]);
    expect(await undo()).toMatchObject({ status: 'partial', counts: { deleted: 0, unremoved: 3 } });
    expect(await purge()).toMatchObject({ status: 'partial', counts: { deleted: 0, unremoved: 3 } });
    await setFaults(site);
    expect(await purge()).toMatchObject({ status: 'success', counts: { deleted: 3, unremoved: 0 } });
    expect(await titles(site)).toEqual([]);
  });
});

test('Accounts that are kept are named, and a later run deletes them', async () => {
  await using site = await openSite(simplest, { target: '  maxAttempts: 2\n' });
  site.write(
    'syncs/people.yaml',
    `resource: accounts\nsource: { connector: json, url: ./feeds/people.json }\nkey: email\nmap: { email: email, username: login }\n${DELETE}`,
  );
  const people = ['ada', 'bea', 'cyd'].map((login) => ({ email: `${login}@example.edu`, login }));
  const write = (some: object[]) => site.write('syncs/feeds/people.json', JSON.stringify(some));
  write(people);
  await site.sync();
  write(people.slice(1));
  await setFaults(site, keeping[204]);
  expect(await site.sync()).toMatchObject([
    { status: 'partial', counts: { deleted: 0, unremoved: 1 }, problems: [{ code: 'FF_CMS_NOT_DELETED' }] },
  ]);
  await setFaults(site);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 1 } }]);
});

describe('A delete that the CMS has applied', () => {
  const late = (count: number) => `is believed once the list shows it (${count} late readings)`;

  test.each([1, 2])('%i late readings of its list: it is sent once', async (count) => {
    await using site = await delivered({ attempts: count + 1 });
    const { data } = await answerOf(site, { url: '/api/v1/calendar/events/1' } as Recorded).then((item) => ({
      data: item,
    }));
    await using proxy = await proxied(site);
    let readings = 0;
    const isDeleted = () => proxy.requests.some(({ operation }) => /^DELETE/.test(operation));
    proxy.intercept = async (request) => {
      if (!LIST.test(request.operation) || !isDeleted() || readings >= count) return undefined;
      readings += 1;
      const list = await answerOf(site, request);
      return { status: 200, body: JSON.stringify({ ...list, data: [...list.data, data] }) };
    };
    writeTalks(site, threeTalks.slice(1));
    expect(await site.sync(), late(count)).toMatchObject([{ status: 'success', counts: { deleted: 1 } }]);
    expect(site.writes()).toEqual({ [DELETES]: 1 });
  });

  test('fails if its list shows the item for good, although the item is a 404', async () => {
    await using site = await delivered();
    const item = await answerOf(site, { url: '/api/v1/calendar/events/1' } as Recorded);
    await using proxy = await proxied(site);
    const isDeleted = () => proxy.requests.some(({ operation }) => /^DELETE/.test(operation));
    proxy.intercept = async (request) => {
      if (!LIST.test(request.operation) || !isDeleted()) return undefined;
      const list = await answerOf(site, request);
      return { status: 200, body: JSON.stringify({ ...list, data: [...list.data, item] }) };
    };
    writeTalks(site, threeTalks.slice(1));
    expect(await site.sync()).toMatchObject([
      {
        status: 'partial',
        counts: { deleted: 0, unremoved: 1 },
        problems: [{ code: 'FF_CMS_NOT_DELETED', reason: expect.stringContaining('its list shows it') }],
      },
    ]);
    expect(site.writes()).toEqual({ [DELETES]: 1 });
  });

  test('is believed although the list counts more items than it shows', async () => {
    await using site = await delivered();
    await using proxy = await proxied(site);
    proxy.intercept = async (request) => {
      if (!LIST.test(request.operation)) return undefined;
      const list = await answerOf(site, request);
      return { status: 200, body: JSON.stringify({ ...list, pagination: undefined, totalItems: list.totalItems + 1 }) };
    };
    writeTalks(site, threeTalks.slice(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 1 } }]);
  });

  test('leaves the copy of an editor that has the same external id', async () => {
    await using site = await delivered();
    const item = await site.request('GET', 'api/v1/calendar/events/1');
    await site.request('POST', 'api/v1/calendar/events', item);
    writeTalks(site, threeTalks.slice(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 1 } }]);
    expect(await titles(site)).toEqual(['Maps', 'Ships', 'Tides']);
  });

  test('is believed if the id belongs to another item at once, which stays', async () => {
    await using site = await delivered();
    await using proxy = await proxied(site);
    const isDeleted = () => proxy.requests.some(({ operation }) => /^DELETE/.test(operation));
    proxy.intercept = async ({ operation }) => {
      if (ITEM.exec(operation)?.[1] !== '1' || !operation.startsWith('GET') || !isDeleted()) return undefined;
      const other = { title: 'Opening', date: '2027-09-01', endDate: '2027-09-01', time: { start: '09:00:00' } };
      return { status: 200, body: JSON.stringify({ id: 1, ...other, source_key: 'others:1' }) };
    };
    writeTalks(site, threeTalks.slice(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 1 } }]);
    expect(site.writes()).toEqual({ [DELETES]: 1 });
  });

  test('costs one more request for its item, and the deletes of a batch share their lists', async () => {
    const talks = Array.from({ length: 12 }, (_, at) => `T${at},Talk ${at},2027-03-01,18:00`);
    await using site = await delivered({ talks });
    await using proxy = await proxied(site);
    writeTalks(site, talks.slice(10));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 10 } }]);
    const operations = proxy.requests.map(({ operation }) => operation.replace(ITEM, 'events/ID'));
    const count = (pattern: RegExp, from = 0) => operations.slice(from).filter((each) => pattern.test(each)).length;
    expect({ deletes: count(/^DELETE/), looks: count(/^GET .*\/ID$/) }).toEqual({ deletes: 10, looks: 20 });
    expect(
      count(
        LIST,
        operations.findIndex((each) => each.startsWith('DELETE')),
      ),
    ).toBeLessThanOrEqual(5);
  });
});

describe.each(either(0))(
  'A CMS that hides all items once it has answered a delete, on $ledger with $queue',
  (engines) => {
    test.each(['undo', 'purge'] as const)('keeps the records whose items it has not deleted: %s', async (work) => {
      await using site = await delivered({ engines });
      const [first] = await site.withApp(({ ledger }) => ledger.runs.newest({ limit: 1 }));
      const remove = () =>
        site.withContext((context) => (work === 'undo' ? undoRun(first?.run ?? '', context) : purgeRun(context)));
      await using proxy = await proxied(site);
      let isHidden = false;
      proxy.intercept = async ({ operation }) => {
        if (!isHidden) {
          isHidden = operation.startsWith('DELETE');
          return undefined;
        }
        if (!LIST.test(operation))
          return { status: 404, body: JSON.stringify({ errors: [{ code: 404, title: 'Not found' }] }) };
        const pagination = { page: 1, limit: 100, count: 0, total: 0, totalPages: 0, links: {} };
        return { status: 200, body: JSON.stringify({ data: [], pagination, totalItems: 0 }) };
      };
      expect(await remove()).toMatchObject({ status: 'partial', counts: { deleted: 1, unremoved: 2 } });
      expect(await titles(site)).toHaveLength(2);
      proxy.intercept = undefined;
      expect(await site.withContext((context) => purgeRun(context))).toMatchObject({
        status: 'success',
        counts: { deleted: 2 },
      });
      expect(await titles(site)).toEqual([]);
    });
  },
);
