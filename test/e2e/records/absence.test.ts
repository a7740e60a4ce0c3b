import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { setFaults, threeTalks, writePeopleSync, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { openSite, type Site, simplest, writeTarget } from '../site.ts';

// An item is absent only if something proves that the CMS would show it.

const EXTERNAL_ID = '  externalId: source_key\n';

async function open({ target = EXTERNAL_ID, more = '', talks = threeTalks, engines = simplest } = {}): Promise<Site> {
  const site = await openSite(engines);
  writeTarget(site, `  concurrency: 2\n  backoff: 20ms\n  maxAttempts: 3\n  lookupAfter: 150ms\n${target}`);
  writeTalksSync(site, more);
  writeTalks(site, talks);
  return site;
}

async function delivered(options: Parameters<typeof open>[0] = {}): Promise<Site> {
  const site = await open(options);
  expect(await site.sync()).toMatchObject([{ status: 'success' }]);
  site.writes();
  return site;
}

const later = (talks: readonly string[]) => talks.map((row) => row.replace(/,(\d\d):00/, ',$1:30'));
const titles = async (site: Site) => (await site.items('calendar/events')).map(({ title }) => title).sort();
const remove = (site: Site, id: number) => site.request('DELETE', `api/v1/calendar/events/${id}`);
const opening = { date: '2027-09-01', endDate: '2027-09-01', time: { start: '09:00:00', type: 'timed' } };
const create = (site: Site, title: string) => site.request('POST', 'api/v1/calendar/events', { title, ...opening });

describe('A create that was answered with 500', () => {
  // Lists are late by twice `lookupAfter`, as by a minute with the default.
  const late = { kind: 'lateItems', ms: 300 };
  const failed = { kind: 'error', status: 500, when: 'after', method: 'POST' };

  test.each(either(0))('is not repeated while the lists may be late, on $ledger with $queue', async (engines) => {
    await using site = await open({ engines });
    await setFaults(site, late, failed);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 3 } }]);
    expect(await titles(site)).toEqual(['Maps', 'Ships', 'Tides']);
  });

  test.each([
    ['the first one', [], { ...failed, times: 1 }],
    ['a later one', threeTalks.slice(0, 2), { ...failed, times: 1 }],
  ])('is not repeated although others were delivered before or after it: %s', async (_, before, fault) => {
    await using site = await open({ talks: before, target: '' });
    await site.sync();
    writeTalks(site, threeTalks);
    await setFaults(site, late, fault);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 3 - before.length } }]);
    expect(await titles(site)).toEqual(['Maps', 'Ships', 'Tides']);
  });

  test('is repeated in the same run if it was not applied', async () => {
    await using site = await open();
    await setFaults(site, { ...failed, when: 'before', times: 2 });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 3 } }]);
    expect(await titles(site)).toEqual(['Maps', 'Ships', 'Tides']);
  });
});

test('An item that editors have moved is not created again while the CMS shows items in its lists only', async () => {
  await using site = await delivered({ more: 'onDeletedInCms: recreate\n' });
  const [moved] = await site.items('calendar/events');
  const days = { date: '2027-09-01', endDate: '2027-09-01' };
  await site.request('PATCH', `api/v1/calendar/events/${moved?.id}`, days);
  await setFaults(site, { kind: 'itemMissing' });
  writeTalks(site, later(threeTalks));
  expect(await site.sync()).toMatchObject([{ counts: { created: 0, updated: 0 } }]);
  await setFaults(site);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, updated: 3 } }]);
  expect(await titles(site)).toEqual(['Maps', 'Ships', 'Tides']);
});

describe('A CMS that shows nothing', () => {
  const outage = [{ kind: 'itemMissing' }, { kind: 'emptyList' }];

  test.each([
    ['leave', 1],
    ['leave', 2],
    ['recreate', 4],
  ])('does not make records deleted, and later changes are sent (%s, %i records)', async (rule, count) => {
    const talks = Array.from({ length: count }, (_, at) => `T${at},Talk ${at},2027-03-01,18:00`);
    await using site = await delivered({ talks, more: `onDeletedInCms: ${rule}\n` });
    await setFaults(site, ...outage);
    writeTalks(site, later(talks));
    const [report] = await site.sync();
    expect(report).toMatchObject({ counts: { held: count, skipped: 0 }, problems: expect.anything() });
    expect(report?.problems[0]).toMatchObject({ code: 'FF_CMS_UNPROVEN' });
    expect(site.writes()).toEqual({});
    await setFaults(site);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: count } }]);
    expect(await site.items('calendar/events')).toHaveLength(count);
  });

  const winds = 'T9,Winds,2027-03-09,10:00';
  const gale = {
    title: 'Winds',
    date: '2027-03-09',
    endDate: '2027-03-09',
    time: { start: '10:00:00', type: 'timed' },
  };

  test.each([
    ['with', EXTERNAL_ID, 3],
    ['with', EXTERNAL_ID, 1],
    ['without', '', 3],
    ['without', '', 1],
  ])("does not get a new record that an editor's item is equal to (%s external ids)%s %i", async (_, target, count) => {
    await using site = await delivered({ target, talks: threeTalks.slice(0, count) });
    await site.request('POST', 'api/v1/calendar/events', gale);
    await setFaults(site, ...outage);
    writeTalks(site, [...threeTalks.slice(0, count), winds]);
    expect(await site.sync()).toMatchObject([{ status: 'held', error: { code: 'FF_CMS_UNPROVEN' } }]);
    expect(site.writes()).toEqual({});
    await setFaults(site);
    expect(await site.sync()).toMatchObject([{ counts: { held: 1 }, problems: [{ code: 'FF_RECORD_ALIKE' }] }]);
    expect(await site.items('calendar/events')).toHaveLength(count + 1);
  });

  test('A record that returns is not created beside its item, which a restored CMS has again', async () => {
    await using site = await delivered({
      more: 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }\n',
    });
    const [maps] = (await site.items('calendar/events')).filter(({ title }) => title === 'Maps');
    writeTalks(site, threeTalks.slice(1));
    expect(await site.sync()).toMatchObject([{ counts: { deleted: 1 } }]);
    await site.request('POST', 'api/v1/calendar/events', maps);
    await setFaults(site, ...outage);
    writeTalks(site, threeTalks);
    expect(await site.sync()).toMatchObject([{ status: 'held', error: { code: 'FF_CMS_UNPROVEN' } }]);
    await setFaults(site);
    expect(await site.sync()).toMatchObject([{ status: 'success' }]);
    expect(await titles(site)).toEqual(['Maps', 'Ships', 'Tides']);
  });

  test('If editors have deleted all items, an approval creates the new records', async () => {
    await using site = await delivered();
    for (const { id } of await site.items('calendar/events')) await remove(site, id);
    writeTalks(site, [...threeTalks, winds]);
    const [held] = await site.sync();
    expect(held).toMatchObject({ status: 'held', error: { code: 'FF_CMS_UNPROVEN' } });
    expect(await site.approve('talks', String(held?.run))).toMatchObject({ counts: { created: 1 } });
    expect(await titles(site)).toEqual(['Winds']);
    writeTalks(site, [...threeTalks, winds, 'T10,Rains,2027-03-10,10:00']);
    expect(await site.sync()).toMatchObject([{ counts: { created: 1 } }]);
  });

  test('Any other item proves that the only item of a sync was deleted', async () => {
    await using site = await delivered({ talks: threeTalks.slice(0, 1) });
    await remove(site, 1);
    writeTalks(site, later(threeTalks.slice(0, 1)));
    expect(await site.sync()).toMatchObject([{ counts: { held: 1 }, problems: [{ code: 'FF_CMS_UNPROVEN' }] }]);
    await create(site, 'Opening');
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { skipped: 1 } }]);
    expect(await titles(site)).toEqual(['Opening']);
  });
});

test('An item that an editor has moved to another day does not make the lists unreliable', async () => {
  await using site = await delivered({ talks: threeTalks.slice(0, 1) });
  await site.request('PATCH', 'api/v1/calendar/events/1', { date: '2027-08-01', endDate: '2027-08-01' });
  await setFaults(site, { kind: 'error', when: 'before', method: 'POST', times: 1 });
  writeTalks(site, threeTalks.slice(0, 2));
  await site.sync();
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { held: 0 } }]);
  expect(await titles(site)).toEqual(['Maps', 'Ships']);
});

describe('A CMS that has hidden an item for a moment', () => {
  const hidden = { kind: 'itemMissing', route: '/calendar/events/:id', times: 1 };

  test('has it on the day to which an update in doubt has moved it', async () => {
    await using site = await delivered();
    const lost = { kind: 'error', when: 'after', method: 'PATCH' };
    writeTalks(site, [...threeTalks.slice(0, 2), 'T3,Tides,2027-05-03,10:00']);
    await setFaults(site, lost);
    expect(await site.sync()).toMatchObject([{ counts: { failed: 1 } }]);
    await setFaults(site, hidden);
    await setFaults(site, hidden);
    expect(await site.sync()).toMatchObject([{ counts: { skipped: 0 } }]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { skipped: 0 } }]);
  });
});

describe('A CMS that was exported and imported gives items other ids', () => {
  /** Deletes all items, and creates them again with what they show. */
  async function moveItems(site: Site): Promise<void> {
    const items = await site.items('calendar/events');
    for (const { id } of items) await remove(site, id);
    for (const item of items) await site.request('POST', 'api/v1/calendar/events', item);
    site.writes();
  }

  test.each(['leave', 'recreate'])('They are found by their external ids (%s)', async (rule) => {
    await using site = await delivered({ more: `onDeletedInCms: ${rule}\n` });
    await moveItems(site);
    writeTalks(site, later(threeTalks));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 3 } }]);
    expect(site.writes()).toEqual({ 'PATCH /calendar/events/:id': 3 });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3 } }]);
  });

  test('What is missing is deleted under its new id', async () => {
    await using site = await delivered({
      more: 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }\n',
    });
    await moveItems(site);
    writeTalks(site, threeTalks.slice(1));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 1 } }]);
    expect(await titles(site)).toEqual(['Ships', 'Tides']);
  });

  test.each([1, 3])('Without external ids, %i records are held', async (count) => {
    const talks = threeTalks.slice(0, count);
    await using site = await delivered({ talks, target: '' });
    await create(site, 'Opening');
    await moveItems(site);
    const described = talks.map((row) => `${row},New`);
    writeTalksSync(site, '', { map: 'title: title, date: date, time.start: start, description: text' });
    writeTalks(site, described, { columns: 'id,title,date,start,text' });
    expect(await site.sync()).toMatchObject([{ counts: { held: count, skipped: 0 } }]);
    expect(site.writes()).toEqual({});
  });
});

test('An item with the external id of a record and another content is not taken for it after the ledger was lost', async () => {
  await using site = await delivered();
  await remove(site, 1);
  await site.request('POST', 'api/v1/calendar/events', { title: 'Opening', ...opening, source_key: 'talks:T1' });
  // The title of another item has changed: it is still the record's.
  await site.request('PATCH', 'api/v1/calendar/events/2', { title: 'Boats' });
  rmSync(join(site.dir, 'data'), { recursive: true });
  expect(await site.sync()).toMatchObject([
    {
      counts: { held: 1, updated: 1, unchanged: 1, created: 0 },
      problems: [{ key: 'T1', code: 'FF_ADOPT_AMBIGUOUS', reason: expect.stringContaining('item 4') }],
    },
  ]);
  expect(await titles(site)).toEqual(['Opening', 'Ships', 'Tides']);
  expect(await site.adopt('talks', 'T1', 4)).toMatchObject({ status: 'success' });
  expect(await titles(site)).toEqual(['Maps', 'Ships', 'Tides']);
});

test('After a restore, the account of another key is neither changed nor deleted', async () => {
  await using site = await openSite(simplest, { target: '  maxAttempts: 1\n' });
  const people = (...rows: string[]) => writeTalks(site, rows, { name: 'people', columns: 'id,email,login,last' });
  const source = 'connector: csv, url: ./feeds/people.csv';
  const more = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }\n';
  writePeopleSync(site, more, { source, key: 'id', map: 'email: email, username: login, lastName: last' });
  people('u1,ada@x.org,ada,A', 'u10,bob@x.org,bob,B', 'u100,cy@x.org,cy,C');
  await site.sync();
  const accounts = await site.items('account/accounts');
  const idOf = (key: string) => accounts.find(({ source_key }) => source_key === `people:${key}`)?.id;
  // The item of "u1" has the id of "u10" now.
  const [first] = accounts;
  await site.request('DELETE', `api/v1/account/accounts/${idOf('u1')}`);
  await site.request('PUT', `api/v1/account/accounts/${idOf('u10')}`, first);
  people('u1,ada@x.org,ada,A', 'u100,cy@x.org,cy,C');
  expect(await site.sync()).toMatchObject([{ counts: { deleted: 0, unremoved: 1 } }]);
  people('u1,ada@x.org,ada,A', 'u10,bob@x.org,bob,New', 'u100,cy@x.org,cy,C');
  expect(await site.sync()).toMatchObject([{ counts: { held: 1 }, problems: [{ key: 'u10' }] }]);
  const names = (await site.items('account/accounts')).map(({ email, source_key }) => `${email} ${source_key}`);
  expect(names.sort()).toEqual(['ada@x.org people:u1', 'cy@x.org people:u100']);
});
