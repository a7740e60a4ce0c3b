import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import { setFaults, threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts';
import { openSite, type Site, simplest, writeTarget } from '../site.ts';

const later = (rows: readonly string[]) =>
  rows.map((row) => row.replace(',18:00', ',19:00').replace(',10:00', ',11:00'));

interface RestoredSite extends Site {
  proxy: RecordingProxy;
}

interface ListOfItems {
  data: Array<{ id: number }>;
  pagination: object;
}

/** A site with three delivered talks, whose CMS may answer what it likes. */
async function deliveredSite(more = '', target = ''): Promise<RestoredSite> {
  const site = await openSite(simplest, { target: `  maxAttempts: 1\n${target}` });
  const proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  writeTalksSync(site, more);
  writeTalks(site, threeTalks);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 3 } }]);
  proxy.requests.length = 0;
  const dispose = site[Symbol.asyncDispose];
  const disposeAll = () => Promise.all([dispose(), proxy[Symbol.asyncDispose]()]).then(() => undefined);
  return Object.assign(site, { proxy, [Symbol.asyncDispose]: disposeAll });
}

/** Answers requests for items, not for lists. */
function answerItems({ proxy }: RestoredSite, status: number, bodyOf: (id: number) => object): void {
  proxy.intercept = async ({ operation }) => {
    const [, id] = /^GET .*\/(\d+)$/.exec(operation) ?? [];
    return id ? { status, body: JSON.stringify(bodyOf(Number(id))) } : undefined;
  };
}

const changes = ({ proxy }: RestoredSite) =>
  proxy.requests.filter(({ operation }) => /^(POST|PATCH|DELETE)/.test(operation));
const notFound = () => ({ errors: [{ code: 404, title: 'Not Found', detail: 'There is no such item.' }] });

describe("An editor's copy of an item, with its external id", () => {
  test('It stays when the source no longer has the record', async () => {
    await using site = await deliveredSite(
      'missing: { policy: delete, after: 1 run, threshold: { absolute: 3, percent: 100 } }',
    );
    const [first] = await site.items('calendar/events');
    const { id: _, ...copied } = first as Record<string, unknown>;
    await site.request('POST', 'api/v1/calendar/events', { ...copied, title: 'Members only' });
    const copies = async () => (await site.items('calendar/events')).filter(({ title }) => title === 'Members only');
    expect(await copies()).toHaveLength(1);
    const others = threeTalks.filter((row) => !row.startsWith(`${String(copied.source_key).split(':')[1]},`));
    // A record that returns makes the third run look for items by their external ids.
    for (const rows of [others, others.slice(1), others, others]) {
      writeTalks(site, rows);
      expect(await site.sync()).toMatchObject([{ status: 'success' }]);
    }
    expect(await copies()).toHaveLength(1);
    expect(await site.items('calendar/events')).toHaveLength(3);
  });

  test.each([
    ['still shows the original', false],
    ['does not show the original either', true],
  ])('It is not taken for the item that is a 404 for a moment, if the list %s', async (_, isHidden) => {
    await using site = await deliveredSite();
    const items = await site.items('calendar/events');
    const original = items.find(({ title }) => title === 'Maps');
    const { id: hidden = 0, ...copied } = original ?? { id: 0 };
    const rewritten = { ...copied, time: { start: '20:00:00', type: 'timed' }, description: 'Members only' };
    const copy = await site.request('POST', 'api/v1/calendar/events', rewritten);
    const before = await site.request('GET', `api/v1/calendar/events/${copy.id}`);
    site.proxy.intercept = async ({ operation, url, headers }) => {
      if (operation.endsWith(`/${hidden}`)) return { status: 404, body: JSON.stringify(notFound()) };
      if (!isHidden || operation !== 'GET /api/v1/calendar/events') return undefined;
      const { authorization = '' } = headers;
      const asked = { headers: { authorization, accept: 'application/json', 'user-agent': 'proxy' } };
      const list = (await (await fetch(`${site.sandbox.url}${url}`, asked)).json()) as ListOfItems;
      const data = list.data.filter(({ id }) => id !== hidden);
      const counted = { count: data.length, total: data.length, totalPages: 1 };
      const body = { data, pagination: { ...list.pagination, ...counted }, totalItems: data.length };
      return { status: 200, body: JSON.stringify(body) };
    };
    writeTalks(site, later(threeTalks));
    for (const _run of ['first', 'second']) {
      expect(await site.sync()).toMatchObject([
        { counts: { held: 1 }, problems: [{ code: 'FF_CMS_UNPROVEN', reason: expect.stringContaining(`${copy.id}`) }] },
      ]);
    }
    expect(await site.request('GET', `api/v1/calendar/events/${copy.id}`)).toEqual(before);
    delete site.proxy.intercept;
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 } }]);
    expect(await site.request('GET', `api/v1/calendar/events/${copy.id}`)).toEqual(before);
  });
});

describe('A CMS that has other items under the ids of the ledger', () => {
  const meeting = (id: number) => ({ id, title: 'Board meeting', date: '2027-06-01', time: { start: '09:00:00' } });

  test.each([
    ['an item of another record', (id: number) => ({ ...meeting(id), source_key: 'others:1' })],
    ['an item of an editor', meeting],
  ])('It is neither changed nor deleted while it has %s, and everything resumes afterwards', async (_, bodyOf) => {
    await using site = await deliveredSite();
    answerItems(site, 200, bodyOf);
    writeTalks(site, later(threeTalks));
    expect(await site.sync()).toMatchObject([
      {
        status: 'partial',
        counts: { held: 3 },
        problems: expect.arrayContaining([expect.objectContaining({ code: 'FF_CMS_FOREIGN' })]),
      },
    ]);
    expect(changes(site)).toEqual([]);

    delete site.proxy.intercept;
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3 } }]);
    expect((await site.items('calendar/events')).map(({ title }) => title).sort()).toEqual(['Maps', 'Ships', 'Tides']);
  });

  test('A create that got the id of another record is not repeated', async () => {
    await using site = await openSite(simplest, { target: '  maxAttempts: 2\n' });
    writeTalksSync(site);
    writeTalks(site, threeTalks.slice(0, 2));
    await site.sync();
    const { db } = await openDatabase({ dataDir: join(site.dir, 'data') });
    await db.updateTable('records').set({ cms_id: 3 }).where('key', '=', 'T1').execute();
    await db.destroy();
    await setFaults(site, { kind: 'error', method: 'POST', when: 'after' });
    writeTalks(site, threeTalks);
    expect(await site.sync()).toMatchObject([{ counts: { held: 1 } }]);
    await setFaults(site);
    expect(await site.sync()).toMatchObject([{ counts: { held: 1 }, problems: [{ code: 'FF_CMS_AMBIGUOUS' }] }]);
    expect(await site.items('calendar/events')).toHaveLength(3);
  });

  test('An item that was found but not written yet is left alone while its id belongs to another', async () => {
    await using site = await deliveredSite();
    await setFaults(site, { kind: 'error', method: 'POST', when: 'after' });
    writeTalks(site, [...threeTalks, 'T4,Winds,2027-03-04,10:00']);
    expect(await site.sync()).toMatchObject([{ counts: { held: 1 } }]);
    await setFaults(site, { kind: 'error', status: 503, method: 'PATCH' });
    expect(await site.sync()).toMatchObject([{ counts: { failed: 1 } }]);
    await setFaults(site);
    site.proxy.requests.length = 0;
    answerItems(site, 200, meeting);
    expect(await site.sync()).toMatchObject([{ counts: { held: 1 }, problems: [{ code: 'FF_CMS_FOREIGN' }] }]);
    expect(changes(site)).toEqual([]);

    delete site.proxy.intercept;
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
    expect(await site.items('calendar/events')).toHaveLength(4);
  });

  test('A mark is not written to the item of an editor', async () => {
    await using site = await deliveredSite(
      'missing: { policy: set, set: { isCancelled: true }, threshold: { percent: 100 } }\n',
    );
    answerItems(site, 200, meeting);
    writeTalks(site, threeTalks.slice(0, 1));
    expect(await site.sync()).toMatchObject([{ counts: { marked: 0, unremoved: 2 } }]);
    expect(changes(site)).toEqual([]);
  });

  test("Without external ids, an item that has only flags in common is not changed until it is the record's again", async () => {
    await using site = await openSite(simplest);
    writeTarget(site, '  maxAttempts: 1\n');
    writeTalksSync(site, '', { map: 'title: title, date: date, time.start: start, description: text' });
    const writeTalk = (start: string) =>
      writeTalks(site, [`T1,Maps at ${start},2027-03-${start.slice(0, 2)},${start},Old maps`], {
        columns: 'id,title,date,start,text',
      });
    writeTalk('18:00');
    await site.sync();
    const [talk] = await site.items('calendar/events');
    const outing = { title: 'Staff outing', date: '2027-05-05', endDate: '2027-05-05', description: 'By boat' };
    await site.request('PATCH', `api/v1/calendar/events/${talk?.id}`, outing);
    // What an update may have sent, and what was delivered before, is remembered over runs with other content.
    for (const start of ['19:00', '20:00', '21:00']) {
      writeTalk(start);
      expect(await site.sync()).toMatchObject([{ counts: { held: 1 }, problems: [{ code: 'FF_CMS_FOREIGN' }] }]);
      expect(await site.items('calendar/events')).toMatchObject([outing]);
    }
    await site.request('PUT', `api/v1/calendar/events/${talk?.id}`, talk);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1 } }]);
  });

  test("An item whose title an editor has changed is still the record's", async () => {
    await using site = await deliveredSite();
    const [first] = await site.items('calendar/events');
    await site.request('PATCH', `api/v1/calendar/events/${first?.id}`, { title: 'An evening of maps' });
    writeTalks(site, later(threeTalks));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3 } }]);
  });

  test("An item that a create returns, but that is another record's, is not taken", async () => {
    await using site = await deliveredSite();
    site.proxy.intercept = async ({ operation, body }) =>
      operation.startsWith('POST') ? { status: 201, body: JSON.stringify({ ...JSON.parse(body), id: 1 }) } : undefined;
    writeTalks(site, [...threeTalks, 'T4,Winds,2027-03-04,10:00']);
    expect(await site.sync()).toMatchObject([
      { counts: { held: 1 }, problems: [{ code: 'FF_CMS_FOREIGN', key: 'T4' }] },
    ]);
    delete site.proxy.intercept;
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1 } }]);
    expect((await site.items('calendar/events')).length).toBe(4);
  });
});

describe('A CMS that returns 404 for items that it lists', () => {
  test.each(['leave', 'recreate'])(
    'A record is kept until the CMS is well again (onDeletedInCms: %s)',
    async (policy) => {
      await using site = await deliveredSite(`onDeletedInCms: ${policy}\n`);
      answerItems(site, 404, notFound);
      writeTalks(site, later(threeTalks));
      expect(await site.sync()).toMatchObject([
        { status: 'partial', problems: expect.arrayContaining([expect.objectContaining({ code: 'FF_CMS_UNPROVEN' })]) },
      ]);
      expect(changes(site)).toEqual([]);
      delete site.proxy.intercept;
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3 } }]);
      expect((await site.items('calendar/events')).length).toBe(3);
    },
  );

  test('A delete counts as done only once the list agrees', async () => {
    await using site = await deliveredSite('missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }\n');
    answerItems(site, 404, notFound);
    writeTalks(site, threeTalks.slice(0, 1));
    expect(await site.sync()).toMatchObject([{ counts: { deleted: 0, unremoved: 2 } }]);
    delete site.proxy.intercept;
    expect(await site.sync()).toMatchObject([{ counts: { deleted: 2 } }]);
    expect((await site.items('calendar/events')).map(({ title }) => title)).toEqual(['Maps']);
  });
});

describe('A CMS that answers a create with an item that it has already', () => {
  const EVENTS = 'api/v1/calendar/events';
  const DELETES = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }\n';

  /** A CMS that creates no event with the title and day of another one. */
  async function openMergingSite(externalId: string) {
    const site = await openSite(simplest);
    const proxy = await startRecordingProxy(site.sandbox.url);
    site.variables.CMS_BASE_URL = proxy.url;
    writeTarget(site, `  maxAttempts: 1\n  lookupAfter: 20ms\n${externalId}`);
    proxy.intercept = async ({ operation, body }) => {
      if (!operation.startsWith('POST')) return undefined;
      const { title, date } = JSON.parse(body) as { title: string; date: string };
      const same = (await site.items('calendar/events')).find((item) => item.title === title && item.date === date);
      return same && { status: 201, body: JSON.stringify(same) };
    };
    const dispose = site[Symbol.asyncDispose];
    const disposeAll = () => Promise.all([dispose(), proxy[Symbol.asyncDispose]()]).then(() => undefined);
    return Object.assign(site, { proxy, [Symbol.asyncDispose]: disposeAll });
  }

  test.each(['', '  externalId: source_key\n'])(
    "An editor's item stays as it is, and the record is held (%j)",
    async (id) => {
      await using site = await openMergingSite(id);
      writeTalksSync(site, DELETES);
      const at = (start: string) => ({ date: '2027-03-01', endDate: '2027-03-01', time: { start, type: 'timed' } });
      const { id: theirs } = await site.request('POST', EVENTS, {
        title: 'Maps',
        ...at('09:00:00'),
        description: 'Ours',
      });
      const before = await site.request('GET', `${EVENTS}/${theirs}`);
      writeTalks(site, threeTalks);
      expect(await site.sync()).toMatchObject([
        { counts: { created: 2, held: 1 }, problems: [{ key: 'T1', code: 'FF_CMS_FOREIGN' }] },
      ]);
      writeTalks(site, later(threeTalks));
      expect(await site.sync()).toMatchObject([{ counts: { updated: 2, held: 1 } }]);
      writeTalks(site, threeTalks.slice(1));
      await site.sync();
      expect(await site.request('GET', `${EVENTS}/${theirs}`)).toEqual(before);

      // The remedy makes the item the record's.
      writeTalks(site, threeTalks);
      await site.sync();
      expect(await site.adopt('talks', 'T1', theirs)).toMatchObject({ status: 'success' });
      expect(await site.request('GET', `${EVENTS}/${theirs}`)).toMatchObject({ time: { start: '18:00:00' } });
    },
  );

  test("Another record's item stays as it is, also if it was created in the same run", async () => {
    await using site = await openMergingSite('');
    writeTalksSync(site);
    writeTalks(site, ['T1,Maps,2027-03-01,18:00', 'T2,Maps,2027-03-01,20:00']);
    for (const _run of ['first', 'second']) {
      expect(await site.sync()).toMatchObject([{ problems: [{ code: 'FF_CMS_FOREIGN' }] }]);
    }
    expect(await site.items('calendar/events')).toHaveLength(1);
    expect(site.writes()).toEqual({ 'POST /calendar/events': 1 });
  });
});
