import { describe, expect, test } from 'vitest';
import { addDays } from '../../../src/core/dates/iso-date.ts';
import { undoRun } from '../../../src/sync/undo/undo-run.ts';
import { start } from '../feedferry.ts';
import { setFaults, writePeople, writePeopleSync, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { type Recorded, type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts';
import { type Engines, type Item, openSite, type Site, simplest } from '../site.ts';

// How many requests the updates of a run cost. A page of a list shows the items of many.

const COLUMNS = 'id,title,date,start,place';
const MAP = 'title: title, date: date, time.start: start, location: place';
const ANY_CHANGES = 'changes: { threshold: false }';

interface Watched extends Site {
  proxy: RecordingProxy;
  /** Writes the feed, in which the first so many talks have changed. */
  writeTalks(changed: number, all?: number): void;
  /** The requests of the first run. */
  first: Counts;
  /** Sends the talks of the feed, of which the first so many have changed. Returns the requests. */
  update(changed: number): Promise<Counts>;
}

type Counts = Record<'pages' | 'items' | 'patches' | 'all', number>;

const isPage = ({ operation }: Recorded) => /^GET .*\/(events|accounts)$/.test(operation);
const isItem = ({ operation }: Recorded) => /^GET .*\/\d+$/.test(operation);
const isPatch = ({ operation }: Recorded) => operation.startsWith('PATCH');

function count({ requests }: RecordingProxy): Counts {
  const number = (isOf: (request: Recorded) => boolean) => requests.filter(isOf).length;
  return { pages: number(isPage), items: number(isItem), patches: number(isPatch), all: requests.length };
}

/** A site with so many delivered talks, one every few days, and items of editors on other days. */
async function openTalks(
  talks: number,
  {
    others = 0,
    everyDays = 1,
    more = '',
    target = '',
    engines = simplest,
  }: { others?: number; everyDays?: number; more?: string; target?: string; engines?: Engines } = {},
): Promise<Watched> {
  const site = await openSite(engines, { target });
  const proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  writeTalksSync(site, `${ANY_CHANGES}\n${more}`, { map: MAP });
  const write = (changed: number, all = talks): void => {
    const rows = Array.from({ length: all }, (_, index) => {
      const day = addDays('2027-03-01', index * everyDays);
      return `T${index},${index < changed ? 'Old talk' : 'Talk'} ${index},${day},10:00,Hall ${index}`;
    });
    writeTalks(site, rows, { columns: COLUMNS });
  };
  write(0);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: talks } }]);
  const first = count(proxy);
  const days = { date: '2026-12-01', endDate: '2026-12-01', time: { start: '09:00:00', type: 'timed' } };
  if (others > 0) {
    const items = Array.from({ length: others }, (_, index) => ({ title: `Meeting ${index}`, ...days }));
    site.sandbox.create('events', items);
  }
  const dispose = site[Symbol.asyncDispose];
  return Object.assign(site, {
    proxy,
    writeTalks: write,
    first,
    async update(changed: number) {
      write(changed);
      proxy.requests.length = 0;
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: changed } }]);
      return count(proxy);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([dispose(), proxy[Symbol.asyncDispose]()]);
    },
  });
}

/** Answers lists with items that are changed before they are shown. */
function changeLists({ proxy, sandbox }: Watched, change: (item: Item, url: string) => object): void {
  proxy.intercept = async (request) => {
    if (!isPage(request)) return undefined;
    const { authorization = '' } = request.headers;
    const asked = { headers: { authorization, accept: 'application/json', 'user-agent': 'proxy' } };
    const list = (await (await fetch(`${sandbox.url}${request.url}`, asked)).json()) as { data: Item[] };
    return { status: 200, body: JSON.stringify({ ...list, data: list.data.map((item) => change(item, request.url)) }) };
  };
}

const titles = async (site: Site) => (await site.items('calendar/events')).map(({ title }) => title);

describe('The requests of updates', () => {
  test('60 updates among 100 items need a page, and hardly any item', async () => {
    await using site = await openTalks(100);
    const requests = await site.update(60);
    expect(requests.patches).toBe(60);
    expect(requests.all).toBeLessThanOrEqual(66);
    expect((await titles(site)).filter((title) => String(title).startsWith('Old'))).toHaveLength(60);
  });

  test('3 updates among 1,000 items need 3 items, and no page but the one that shows that the CMS can be reached', async () => {
    await using site = await openTalks(3, { others: 997 });
    // One more look shows that the first PATCH keeps what it does not send.
    expect(await site.update(3)).toEqual({ pages: 1, items: 4, patches: 3, all: 8 });
  });

  test('On a large site, only the pages of their days are read', async () => {
    await using site = await openTalks(60, { others: 900 });
    const requests = await site.update(60);
    expect(requests.all).toBeLessThanOrEqual(60 * 1.25);
    expect(requests.items).toBeLessThanOrEqual(3);
  });

  test('Updates far apart on a large site need no more requests than their items', async () => {
    await using site = await openTalks(20, { others: 900, everyDays: 40 });
    const { all, items } = await site.update(20);
    expect(items).toBeLessThanOrEqual(21);
    expect(all).toBeLessThanOrEqual(2 * 20 + 3);
  });

  test('Of accounts, the whole list is read', async () => {
    await using site = await openSite(simplest);
    await using proxy = await startRecordingProxy(site.sandbox.url);
    site.variables.CMS_BASE_URL = proxy.url;
    writePeopleSync(site, ANY_CHANGES, { map: 'email: email, username: login, company: firm' });
    const people = (firm: string) =>
      Array.from({ length: 100 }, (_, index) => ({
        ...{ email: `p${index}@example.org`, login: `p${index}`, firm: index < 60 ? firm : 'Museum' },
      }));
    writePeople(site, ...people('Museum'));
    await site.sync();
    writePeople(site, ...people('Archive'));
    proxy.requests.length = 0;
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 60 } }]);
    expect(count(proxy).patches).toBe(60);
    expect(count(proxy).all).toBeLessThanOrEqual(66);
  });
});

describe('The requests of creates', () => {
  test('100 creates need two pages, and what is unchanged needs nothing', async () => {
    await using site = await openTalks(100);
    expect(site.first).toEqual({ pages: 2, items: 0, patches: 0, all: 102 });
    expect(await site.update(0)).toEqual({ pages: 0, items: 0, patches: 0, all: 0 });
  });

  test('The list of the accounts is read once, although the newest are those of editors', async () => {
    await using site = await openSite(simplest);
    await using proxy = await startRecordingProxy(site.sandbox.url);
    site.variables.CMS_BASE_URL = proxy.url;
    writePeopleSync(site);
    const people = (from: number, count: number) =>
      Array.from({ length: count }, (_, nth) => ({ email: `p${from + nth}@example.org`, login: `p${from + nth}` }));
    writePeople(site, ...people(0, 30));
    await site.sync();
    site.sandbox.create(
      'accounts',
      people(1_000, 370).map(({ email, login }) => ({ email, username: login })),
    );
    writePeople(site, ...people(0, 50));
    proxy.requests.length = 0;
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 20 } }]);
    const pages = proxy.requests.filter(isPage).map(({ url }) => url);
    expect(pages.filter((url) => url.includes('&page='))).toHaveLength(4);
    expect(new Set(pages).size).toBe(pages.length);
  });

  test('The days of the new events are read once, although the newest events are those of editors', async () => {
    await using site = await openTalks(20, { others: 150 });
    site.writeTalks(0, 40);
    site.proxy.requests.length = 0;
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 20 } }]);
    expect(count(site.proxy)).toMatchObject({ pages: 2, items: 0 });
  });
});

describe('An item is read by its id', () => {
  test('if editors own what changes', async () => {
    await using site = await openTalks(12, { more: 'authority: { title: editor }' });
    expect(await site.update(12)).toMatchObject({ pages: 1, items: 13, patches: 12 });
  });

  test('only if editors own what is sent, not because they have changed the rest', async () => {
    await using site = await openTalks(12, { more: 'authority: { location: editor }' });
    for (const { id } of await site.items('calendar/events')) {
      await site.request('PATCH', `api/v1/calendar/events/${id}`, { location: 'Garden' });
    }
    expect(await site.update(12)).toMatchObject({ items: 2, patches: 12 });
    const items = await site.items('calendar/events');
    expect(items.map(({ location }) => location)).toEqual(items.map(() => 'Garden'));
  });

  test.each<[string, (item: Item) => object]>([
    ['hides what editors have added', ({ isFeatured: _, ...item }) => item],
    ['shortens a text that was not delivered', (item) => ({ ...item, description: 'A long …' })],
    ['hides what was delivered', ({ location: _, ...item }) => item],
    ['shortens what was delivered', (item) => ({ ...item, location: 'H…' })],
    ['has no external ids', ({ source_key: _, ...item }) => item],
  ])('if the list %s', async (_, change) => {
    await using site = await openTalks(12);
    for (const { id } of await site.items('calendar/events')) {
      await site.request('PATCH', `api/v1/calendar/events/${id}`, { description: 'A long text', isFeatured: true });
    }
    changeLists(site, change);
    const requests = await site.update(12);
    expect(requests.items).toBeGreaterThanOrEqual(12);
    const items = await site.items('calendar/events');
    expect(items.map(({ description, isFeatured }) => ({ description, isFeatured }))).toEqual(
      items.map(() => ({ description: 'A long text', isFeatured: true })),
    );
  });

  test('if an editor has changed what the source owns: an undo gives it back', async () => {
    await using site = await openTalks(12);
    await site.request('PATCH', 'api/v1/calendar/events/5', { title: 'Edited' });
    expect(await site.update(12)).toMatchObject({ items: 3 });
    await site.withContext(async (context) =>
      undoRun((await context.ledger.runs.lastChanging('talks'))?.run ?? '', context),
    );
    expect(await titles(site)).toContain('Edited');
    expect((await titles(site)).filter((title) => String(title).startsWith('Old'))).toEqual([]);
  });

  test.each([422, 500, 503])('if the list cannot be read (%i)', async (status) => {
    await using site = await openTalks(12);
    site.proxy.intercept = async (request) => {
      if (!isPage(request) || request.url.endsWith('limit=1')) return undefined;
      return { status, body: JSON.stringify({ errors: [{ code: status, title: 'Error', detail: 'No.' }] }) };
    };
    expect(await site.update(12)).toMatchObject({ items: 13, patches: 12 });
  });
});

describe('Between the page and the PATCH', () => {
  test('what an editor writes to attributes that the PATCH does not send stays', async () => {
    await using site = await openTalks(12);
    const edited = new Set<string>();
    site.proxy.intercept = async (request) => {
      const path = request.url.slice(1);
      if (isPatch(request) && !edited.has(path)) {
        edited.add(path);
        await site.request('PATCH', path, { description: 'By an editor', location: 'Elsewhere' });
      }
      return undefined;
    };
    await site.update(12);
    const items = await site.items('calendar/events');
    expect(items.map(({ description, location }) => [description, location])).toEqual(
      items.map(() => ['By an editor', 'Elsewhere']),
    );
  });

  test('an item that is deleted is not created again', async () => {
    await using site = await openTalks(12);
    site.proxy.intercept = async (request) => {
      if (isPatch(request) && request.url.endsWith('/7'))
        await site.request('DELETE', request.url.slice(1)).catch(() => {});
      return undefined;
    };
    await site.update(12).catch(() => {});
    expect(await site.items('calendar/events')).toHaveLength(11);
  });
});

test.each(either(0))(
  'After a SIGKILL, what is in doubt is read by its id, and the rest from a page ($ledger, $queue)',
  async (engines) => {
    await using site = await openTalks(24, { engines, target: '  timeout: 700ms\n' });
    site.writeTalks(24);
    const struck = await setFaults(site, { kind: 'hold', method: 'PATCH', skip: 4 });
    const { child, finished } = start(['sync', 'talks'], site.variables);
    await struck();
    child.kill('SIGKILL');
    await finished;
    await setFaults(site);
    const left = (await titles(site)).filter((title) => !String(title).startsWith('Old')).length;
    expect(left).toBeGreaterThan(8);
    site.proxy.requests.length = 0;
    const [report] = await site.sync();
    expect(report).toMatchObject({ status: 'success' });
    expect((await titles(site)).filter((title) => !String(title).startsWith('Old'))).toEqual([]);
    const { items, patches } = count(site.proxy);
    expect(patches).toBeGreaterThanOrEqual(left);
    expect(items).toBeGreaterThanOrEqual(1);
    expect(items).toBeLessThan(left);
  },
);

test('An item that has passed to another record is not changed', async () => {
  await using site = await openTalks(12);
  const [id, foreign] = [7, { title: 'Board meeting', date: '2027-03-05', source_key: 'others:1', location: '' }];
  await site.request('PATCH', `api/v1/calendar/events/${id}`, foreign);
  await site.update(12).catch(() => {});
  expect(await site.request('GET', `api/v1/calendar/events/${id}`)).toMatchObject(foreign);
  expect(site.proxy.requests.filter(isPatch)).toHaveLength(11);
});
