import { describe, expect, test } from 'vitest';
import { undoRun } from '../../../src/sync/undo/undo-run.ts';
import { healRun } from '../../../src/sync/verify/heal-run.ts';
import type { Verification } from '../../../src/sync/verify/verification.ts';
import { verifySyncs } from '../../../src/sync/verify/verify-syncs.ts';
import {
  illustratedTalks,
  setFaults,
  writeIllustratedSync,
  writeIllustratedTalks,
  writePeople,
  writePeopleSync,
  writeTalks,
  writeTalksSync,
} from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { type RecordingProxy, startRecordingProxy } from '../recording-proxy.ts';
import { runHere } from '../run-here.ts';
import { openSite, png, type Site, simplest } from '../site.ts';

const LIST = 'GET /api/v1/calendar/events';

interface Answer {
  verified: Verification[];
  runs?: Array<{ run: string; status: string; counts: Record<string, number> }>;
  remaining?: Verification[];
}

/** Three talks, of which the first has a text and a picture; editors own the text. */
async function publishedSite(more = 'authority: { description: editor }', engines = simplest): Promise<Site> {
  const site = await openSite(engines, { target: '  maxAttempts: 2\n' });
  site.write('syncs/feeds/a.png', png(1));
  writeIllustratedSync(site, more);
  writeIllustratedTalks(site, ...illustratedTalks('Old'));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 3 } }]);
  return site;
}

async function verify(site: Site): Promise<Verification[]> {
  return site.withApp(async (app) => {
    const contexts = app.config.syncs.map((sync) => app.contextOf(sync, { signal: new AbortController().signal }));
    return (await verifySyncs(contexts)).map(({ result }) => result);
  });
}

/** What a verification of the one sync has found: "cause key attributes". */
async function driftOf(site: Site): Promise<string[]> {
  const [result] = await verify(site);
  return (result?.drift ?? []).map(({ cause, key, attributes }) => [cause, key, ...attributes].join(' ')).sort();
}

const heal = (site: Site) =>
  site.withContext(async (context) => {
    const [verified] = await verifySyncs([context]);
    return verified && healRun(verified);
  });

const idOf = async (site: Site, key: string) => (await site.explain('talks', key)).record?.cmsId ?? 0;
const edit = async (site: Site, key: string, body: object) =>
  site.request('PATCH', `api/v1/calendar/events/${await idOf(site, key)}`, body);
const remove = async (site: Site, key: string) =>
  site.request('DELETE', `api/v1/calendar/events/${await idOf(site, key)}`);
const time = { start: '18:00:00', end: '18:00:00', type: 'timed' };
const marked = (mark: string) => ({
  title: 'A copy',
  date: '2027-03-01',
  endDate: '2027-03-01',
  time,
  source_key: mark,
});

describe.each(either(0))('verify on $ledger and $queue', (engines) => {
  test('It certifies what is in sync, names every difference, and repairs what it may', async () => {
    await using site = await publishedSite(undefined, engines);
    const clean = await runHere(['verify', '--json'], site.variables);
    expect(clean.exitCode).toBe(0);
    const [proof] = clean.json<Answer>().verified as [Verification];
    expect(proof).toMatchObject({ sync: 'talks', items: 3, requests: 1, inSync: 3, drift: [] });
    expect(proof.certificate).toMatchObject({
      proven: true,
      target: site.sandbox.url,
      config: expect.stringMatching(/^[0-9a-f]{64}$/),
      time: expect.stringMatching(/Z$/),
      counts: { records: 3, inSync: 3, edited: 0, undelivered: 0 },
    });

    await edit(site, 'T1', { image: null, description: 'An editor’s text' });
    await edit(site, 'T2', { title: 'Boats', notes: 'Ours' });
    await remove(site, 'T3');
    await site.request('POST', 'api/v1/calendar/events', marked('talks:T2'));
    await site.request('POST', 'api/v1/calendar/events', marked('talks:T9'));
    await setFaults(site, { kind: 'error', status: 422, method: 'POST', path: '/api/v1/calendar/events' });
    writeIllustratedTalks(site, ...illustratedTalks('Old'), 'T4,Winds,2027-03-04,10:00,,');
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { failed: 1 } }]);
    await setFaults(site);
    const [t1, t2, t3] = [await idOf(site, 'T1'), await idOf(site, 'T2'), await idOf(site, 'T3')];

    const found = await runHere(['verify', 'talks', '--json'], site.variables);
    expect(found.exitCode).toBe(3);
    const [result] = found.json<Answer>().verified as [Verification];
    expect(result.drift.map(({ title }) => title)).toContain('Maps, 2027-03-01 18:00');
    expect(result.drift.map(({ title: _, ...each }) => each)).toEqual([
      { key: 'T1', cmsId: t1, cause: 'fileMissing', attributes: ['image'] },
      { key: 'T2', cmsId: 4, cause: 'doubled', attributes: [], remedy: expect.stringContaining('Delete the copy') },
      {
        key: 'T2',
        cmsId: t2,
        cause: 'edited',
        attributes: ['title'],
        liveHash: expect.any(String),
        live: { title: expect.any(String) },
      },
      { key: 'T3', cmsId: t3, cause: 'deleted', attributes: [] },
      {
        ...{ key: 'T4', cmsId: null, cause: 'undelivered', attributes: expect.arrayContaining(['title', 'date']) },
        error: { code: 'FF_CMS_UNPROCESSABLE', reason: expect.any(String) },
      },
      { key: 'T9', cmsId: 5, cause: 'orphan', attributes: [] },
    ]);
    expect(result).toMatchObject({ items: 4, inSync: 0, certificate: { proven: true, counts: { records: 4 } } });

    const text = await runHere(['verify'], site.variables);
    expect(text.exitCode).toBe(3);
    expect(text.stdout).toMatch(/\(T2\) +Edited in the CMS +title +item/);
    expect(text.stdout).toContain('1 edited, 1 deleted, 1 doubled, 1 orphaned, 1 with a missing file, 1 undelivered');

    const status = await runHere(['status'], site.variables);
    expect(status.stdout).toContain('talks: The CMS differs from what was delivered: 1 edited, 1 deleted,');

    const healed = await runHere(['verify', '--heal', '--json'], site.variables);
    // The second item with a mark is left to a person.
    expect(healed.exitCode).toBe(3);
    const { runs, remaining } = healed.json<Required<Answer>>();
    expect(runs).toMatchObject([{ status: 'success', counts: { created: 1, updated: 2, skipped: 1 } }]);
    expect(remaining).toMatchObject([{ drift: [{ key: 'T2', cmsId: 4, cause: 'doubled' }], inSync: 4 }]);
    expect(await site.request('GET', `api/v1/calendar/events/${t1}`)).toMatchObject({
      description: 'An editor’s text',
      image: { src: expect.any(String) },
    });
    expect(await site.request('GET', `api/v1/calendar/events/${t2}`)).toMatchObject({ title: 'Ships', notes: 'Ours' });

    await site.request('DELETE', 'api/v1/calendar/events/4');
    expect((await runHere(['verify'], site.variables)).exitCode).toBe(0);

    // What an editor wrote is kept before it is repaired.
    const [{ run } = { run: '' }] = runs;
    expect(await site.withContext((context) => undoRun(run, context))).toMatchObject({ counts: { updated: 2 } });
    expect(await site.request('GET', `api/v1/calendar/events/${t2}`)).toMatchObject({ title: 'Boats' });
  });
});

describe('Repairs', () => {
  test('A deleted item is created again if the sync says so', async () => {
    await using site = await publishedSite('onDeletedInCms: recreate');
    await remove(site, 'T3');
    expect(await driftOf(site)).toEqual(['deleted T3']);
    expect(await heal(site)).toMatchObject({ status: 'success', counts: { created: 1 } });
    expect(await driftOf(site)).toEqual([]);
    expect(await site.items('calendar/events')).toHaveLength(3);
  });

  test('A deleted item is not created again if another one has its external id', async () => {
    await using site = await publishedSite('onDeletedInCms: recreate');
    await remove(site, 'T3');
    const ofT3 = { ...marked('talks:T3'), date: '2027-03-03', endDate: '2027-03-03' };
    const { id } = await site.request('POST', 'api/v1/calendar/events', ofT3);
    expect(await driftOf(site)).toEqual(['deleted T3', 'doubled T3']);
    expect(await heal(site)).toMatchObject({ status: 'success' });
    expect(await driftOf(site)).toEqual([]);
    expect(await idOf(site, 'T3')).toBe(id);
    expect(await site.items('calendar/events')).toHaveLength(3);
  });

  test('A repair of most records is held, and applied once it is approved', async () => {
    await using site = await publishedSite('changes: { threshold: { percent: 50, atLeast: 3 } }');
    for (const key of ['T1', 'T2']) await edit(site, key, { title: 'Replaced everywhere' });
    const report = await heal(site);
    expect(report).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_CHANGES' } });
    expect(site.writes()).toEqual({});
    expect(await driftOf(site)).toEqual(['edited T1 title', 'edited T2 title']);
    expect(await site.approve('talks', report?.run ?? '')).toMatchObject({ status: 'success', counts: { updated: 2 } });
    expect(await driftOf(site)).toEqual([]);
  });

  test('Without external ids, an item is repaired whose title and day were changed', async () => {
    await using other = await openSite(simplest);
    other.write(
      'feedferry.yaml',
      'target: { baseUrl: "${CMS_BASE_URL}", token: "${CMS_API_TOKEN}", timezone: UTC, lookupAfter: 100ms }',
    );
    writeTalksSync(other, '', { map: 'title: title, date: date, time.start: start, description: text' });
    writeTalks(other, ['T1,Maps,2027-03-01,18:00,Old'], { columns: 'id,title,date,start,text' });
    await other.sync();
    await edit(other, 'T1', { date: '2027-04-01', endDate: '2027-04-01' });
    expect(await driftOf(other)).toEqual(['edited T1 date endDate']);
    expect(await heal(other)).toMatchObject({ status: 'success', counts: { updated: 1 } });
    expect(await driftOf(other)).toEqual([]);
  });

  test('An attribute that the map no longer names is left to editors', async () => {
    await using site = await publishedSite('');
    writeTalksSync(site, 'attachments: { image: image }', {});
    await edit(site, 'T1', { description: 'Written by an editor', title: 'Edited' });
    expect(await driftOf(site)).toEqual(['edited T1 title']);
    await heal(site);
    expect(await site.request('GET', `api/v1/calendar/events/${await idOf(site, 'T1')}`)).toMatchObject({
      title: 'Maps',
      description: 'Written by an editor',
    });
  });

  test('Attributes that a connector maps by itself are verified beside those of the map', async () => {
    await using site = await openSite(simplest);
    const times = 'DTSTAMP:20270101T000000Z\nDTSTART:20370301T180000Z\nDTEND:20370301T190000Z';
    const event = `BEGIN:VEVENT\nUID:T1\nSUMMARY:Maps\nDESCRIPTION:Old ones\nLOCATION:Library\n${times}\nEND:VEVENT`;
    site.write('syncs/feeds/talks.ics', `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//y//EN\n${event}\nEND:VCALENDAR\n`);
    const source = 'source: { connector: ical, url: ./feeds/talks.ics }';
    site.write('syncs/talks.yaml', `resource: events\n${source}\nmap: { location: location }\n`);
    expect(await site.sync()).toMatchObject([{ counts: { created: 1 } }]);
    await edit(site, 'T1', { title: 'Edited', description: 'By an editor', location: 'Aula' });
    expect(await driftOf(site)).toEqual(['edited T1 title description location']);
  });

  test('The item of a lost record is known again', async () => {
    await using site = await publishedSite('missing: { policy: delete, after: 1 run }');
    await site.request('POST', 'api/v1/calendar/events', marked('talks:T9'));
    expect(await driftOf(site)).toEqual(['orphan T9']);
    expect(await heal(site)).toBeUndefined();
    expect(await driftOf(site)).toEqual([]);
    // The feed does not have it.
    expect(await site.sync()).toMatchObject([{ counts: { deleted: 1 } }]);
  });
});

describe('What is no drift', () => {
  test('Accounts are verified by their list, whatever their passwords', async () => {
    await using site = await openSite(simplest);
    writePeopleSync(site, '', { map: 'email: email, username: login, password: { generate: true }' });
    writePeople(site, { email: 'ada@example.edu', login: 'ada' }, { email: 'bo@example.edu', login: 'bo' });
    await site.sync();
    expect(await driftOf(site)).toEqual([]);
    const [ada] = await site.items('account/accounts');
    await site.request('PATCH', `api/v1/account/accounts/${ada?.id}`, { username: 'eve', company: 'Ours' });
    expect(await driftOf(site)).toEqual(['edited ada@example.edu username']);
  });

  test('Syncs of one list share its reading, and each knows its own items', async () => {
    await using site = await publishedSite();
    writeTalksSync(site, '', { name: 'tours' });
    writeTalks(site, ['T1,Harbour,2027-05-01,18:00'], { name: 'tours' });
    await site.sync(['tours']);
    const requests = () => site.sandbox.stats().requests[LIST.replace('/api/v1', '')] ?? 0;
    const before = requests();
    expect(await verify(site)).toMatchObject([
      { sync: 'talks', items: 4, inSync: 3, drift: [] },
      { sync: 'tours', items: 4, inSync: 1, drift: [] },
    ]);
    expect(requests() - before).toBe(1);
  });

  test('A list that cannot be read stops no other sync', async () => {
    await using site = await publishedSite();
    writePeopleSync(site);
    writePeople(site, { email: 'ada@example.edu', login: 'ada' });
    await site.sync(['people']);
    await setFaults(site, { kind: 'error', status: 400, method: 'GET', path: '/api/v1/calendar/events' });
    const finished = await runHere(['verify', '--json'], site.variables);
    expect(finished.exitCode).toBe(1);
    expect(finished.json<Answer>().verified).toMatchObject([
      { sync: 'people', inSync: 1, certificate: { proven: true } },
      { sync: 'talks', inSync: 0, certificate: { proven: false }, error: { code: 'FF_CMS_BAD_REQUEST' } },
    ]);
  });

  test('What the CMS makes of values is what it was sent, until an editor changes it', async () => {
    await using site = await openSite(simplest);
    await using proxy = await startRecordingProxy(site.sandbox.url);
    proxy.intercept = rewriting(site, (text) =>
      text.replace(/"title":"([^"]*)"/g, (_, title) => `"title":"${title.toUpperCase()}"`),
    );
    writeTalksSync(site);
    writeTalks(site, ['T1,Maps,2027-03-01,18:00', 'T2,Ships,2027-03-02,10:00']);
    const through = { ...site, variables: site.variables };
    site.variables.CMS_BASE_URL = proxy.url;
    expect(await through.sync()).toMatchObject([{ counts: { created: 2 } }]);
    expect(await driftOf(through)).toEqual([]);
    writeTalks(site, ['T1,Maps,2027-03-01,18:30', 'T2,Boats,2027-03-02,10:00']);
    expect(await through.sync()).toMatchObject([{ counts: { updated: 2 } }]);
    expect(await driftOf(through)).toEqual([]);
    await edit(site, 'T1', { title: 'Charts' });
    expect(await driftOf(through)).toEqual(['edited T1 title']);
  });

  test('Records that are delivered while the list is read', async () => {
    await using site = await publishedSite();
    await using proxy = await startRecordingProxy(site.sandbox.url);
    writeTarget(site, proxy);
    let synced: Promise<unknown> | undefined;
    proxy.intercept = async ({ operation, url }) => {
      if (operation !== LIST || synced) return undefined;
      // The list is answered as it was before the run.
      const answer = await listOf(site, url);
      writeIllustratedTalks(site, 'T1,New,2027-03-01,18:00,Old,a.png', 'T5,Fifth,2027-03-05,10:00,,');
      synced = site.sync();
      await synced;
      return { status: 200, body: answer };
    };
    const [result] = await verify(site);
    expect(result).toMatchObject({ drift: [], certificate: { counts: { moving: 2 } } });
  });
});

describe('A list that lies is no reason for an alarm', () => {
  const lies: Array<[string, (page: ListPage) => unknown, string]> = [
    ['is empty', () => ({ data: [], pagination: { total: 0, totalPages: 0 }, totalItems: 0 }), 'is empty'],
    ['counts more than it shows', (page) => ({ ...page, data: page.data.slice(1) }), 'counts 4 items and shows 3'],
    [
      'shows other items only',
      (page) => ({ data: page.data.filter(({ source_key }) => !source_key), pagination: { total: 1 }, totalItems: 1 }),
      'shows none of the 3 items of the sync',
    ],
    [
      'does not show an attribute',
      (page) => ({ ...page, data: page.data.map(({ title, ...item }) => item) }),
      'shows no item with title',
    ],
  ];

  test.each(lies)('A list that %s', async (_, lie, reason) => {
    await using site = await publishedSite();
    await site.request('POST', 'api/v1/calendar/events', { ...marked(''), title: 'Of an editor' });
    await using proxy = await startRecordingProxy(site.sandbox.url);
    writeTarget(site, proxy);
    proxy.intercept = async ({ operation, url }) => {
      if (operation !== LIST) return undefined;
      return { status: 200, body: JSON.stringify(lie(JSON.parse(await listOf(site, url)))) };
    };
    const finished = await runHere(['verify', '--json'], site.variables);
    const [result] = finished.json<Answer>().verified as [Verification];
    expect(result).toMatchObject({
      drift: [],
      certificate: { proven: false, reason: expect.stringContaining(reason) },
    });
    expect(finished.exitCode).toBe(3);
    expect(new Set(proxy.requests.map(({ operation }) => operation))).toEqual(new Set([LIST]));
    expect((await runHere(['verify'], site.variables)).stdout).toContain('Not everything could be verified');
  });

  test('A list that shows an item in one reading and not in another', async () => {
    await using site = await publishedSite();
    await using proxy = await startRecordingProxy(site.sandbox.url);
    writeTarget(site, proxy);
    proxy.intercept = async ({ operation, url }) => {
      if (operation !== LIST || url.includes('startDate')) return undefined;
      const page: ListPage = JSON.parse(await listOf(site, url));
      return {
        status: 200,
        body: JSON.stringify({ data: page.data.slice(1), pagination: { total: 2 }, totalItems: 2 }),
      };
    };
    // The list of its day shows it.
    expect(await verify(site)).toMatchObject([
      { drift: [], certificate: { proven: false, counts: { unverified: 1 } } },
    ]);
  });
});

interface ListPage {
  data: Array<Record<string, unknown>>;
}

function writeTarget(site: Site, proxy: RecordingProxy): void {
  site.variables.CMS_BASE_URL = proxy.url;
  // One request may wait for others.
  const more = `concurrency: 8, externalId: source_key, lookupAfter: 200ms, movedFrom: "${site.sandbox.url}"`;
  site.write(
    'feedferry.yaml',
    `target: { baseUrl: "\${CMS_BASE_URL}", token: "\${CMS_API_TOKEN}", timezone: America/New_York, ${more} }\n`,
  );
}

async function listOf({ sandbox }: Site, url: string): Promise<string> {
  const headers = { accept: 'application/json', 'user-agent': 'test', authorization: `Bearer ${sandbox.token}` };
  return (await fetch(`${sandbox.url}${url}`, { headers })).text();
}

/** A CMS that shows what it was sent in another form. */
function rewriting(site: Site, rewrite: (body: string) => string): RecordingProxy['intercept'] {
  return async ({ operation, url, headers, body }) => {
    const { host, connection, 'content-length': length, 'transfer-encoding': encoding, ...rest } = headers;
    const [method = ''] = operation.split(' ');
    const answer = await fetch(`${site.sandbox.url}${url}`, {
      method,
      headers: rest as Record<string, string>,
      ...(body && { body }),
    });
    return { status: answer.status, body: rewrite(await answer.text()) };
  };
}
