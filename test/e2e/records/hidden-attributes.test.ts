import { describe, expect, test } from 'vitest';
import { setFaults, threeTalks, writeCsv, writePeopleSync, writeTalks, writeTalksSync } from '../fixtures.ts';
import { startRecordingProxy } from '../recording-proxy.ts';
import { type Item, openSite, type Site, simplest, writeTarget } from '../site.ts';

// What a list does not show proves nothing.

type Hide = (item: Item) => Record<string, unknown>;

/** A site whose lists, or also items, do not show some attributes. */
async function openHidingSite(hide: Hide, { target = '', alsoItems = false } = {}): Promise<Site> {
  const site = await openSite(simplest);
  const proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  writeTarget(site, `  concurrency: 2\n  backoff: 20ms\n  maxAttempts: 2\n  lookupAfter: 50ms\n${target}`);
  proxy.intercept = async ({ operation, url, headers }) => {
    const isList = /^GET \S+(events|accounts)$/.test(operation);
    if (!isList && !(alsoItems && operation.startsWith('GET '))) return undefined;
    const { authorization = '' } = headers;
    const asked = { headers: { authorization, accept: 'application/json', 'user-agent': 'proxy' } };
    const answer = await fetch(`${site.sandbox.url}${url}`, asked);
    const body = (await answer.json()) as Item & { data: Item[] };
    const shown = isList ? { ...body, data: body.data.map(hide) } : hide(body);
    return { status: answer.status, body: JSON.stringify(shown) };
  };
  const dispose = site[Symbol.asyncDispose];
  const disposeAll = async () => {
    await dispose();
    await proxy[Symbol.asyncDispose]();
  };
  return Object.assign(site, { [Symbol.asyncDispose]: disposeAll });
}

/** Runs until nothing changes any more. */
async function settle(site: Site): Promise<void> {
  for (let run = 0; run < 3; run += 1) await site.sync();
}

const applied = { kind: 'error', status: 500, when: 'after', method: 'POST' };

const people = Array.from({ length: 10 }, (_, at) => `p${at},p${at}@x.org,user${at},Name ${at}`);

describe.each([
  ['e-mail addresses', 'email: email, lastName: name', ({ email: _, ...item }: Item) => item],
  ['e-mail addresses, but user names', 'email: email, username: login', ({ email: _, ...item }: Item) => item],
  ['user names', 'username: login, lastName: name', ({ username: _, ...item }: Item) => item],
  [
    'e-mail addresses and user names',
    'email: email, username: login',
    ({ email: _, username: __, ...item }: Item) => item,
  ],
] as const)('A CMS whose lists of accounts show no %s', (_, map, hide) => {
  test.each([false, true])('Creates that were answered with 500 are not repeated (nor do items: %s)', async (also) => {
    await using site = await openHidingSite(hide, { alsoItems: also });
    const source = 'connector: csv, url: ./feeds/people.csv';
    writePeopleSync(site, '', { source, key: 'id', map });
    writeCsv(site, 'people', 'id,email,login,name', people);
    await setFaults(site, { ...applied, times: 5 });
    await settle(site);
    expect(await site.items('account/accounts')).toHaveLength(10);
  });
});

describe.each([
  ['titles', '', ({ title: _, ...item }: Item) => item],
  ['dates', '', ({ date: _, ...item }: Item) => item],
  ['times', '', ({ time: _, ...item }: Item) => item],
  ['external ids', '  externalId: source_key\n', ({ source_key: _, ...item }: Item) => item],
])('A CMS whose lists of events show no %s', (_, target, hide) => {
  test('Creates that were answered with 500 are not repeated', async () => {
    await using site = await openHidingSite(hide, { target });
    writeTalksSync(site);
    writeTalks(site, threeTalks);
    await setFaults(site, { ...applied, times: 2 });
    await settle(site);
    expect(await site.items('calendar/events')).toHaveLength(3);
  });
});
