import { expect, test } from 'vitest';
import { setFaults, writePeople, writePeopleSync } from '../../fixtures.ts';
import { startRecordingProxy } from '../../recording-proxy.ts';
import { openSite, type Site, simplest, writeTarget } from '../../site.ts';
import { storedBy } from '../../stored.ts';
import { command } from './commands.ts';

const secrets = ['MarkerOfTheFirstPassword1', 'MarkerOfTheSecondPassword2'];
const POST = { method: 'POST', route: '/account/accounts' };
const PATCH = { method: 'PATCH', route: '/account/accounts/:id' };
/** Without an answer, as a proxy says it. */
const lost = { kind: 'error', status: 504, when: 'after' };
const refused = { kind: 'error', status: 422 };
/** The first list of a run only shows that the CMS is there. */
const unreadList = { kind: 'error', status: 403, method: 'GET', route: '/account/accounts', skip: 1 };

function writeAda(site: Site, lastName?: string): void {
  const ada = { login: 'ada', lastName, secret: lastName === 'Byron' ? secrets[1] : secrets[0] };
  writePeople(
    site,
    { login: 'bob', lastName: 'Stays' },
    { login: 'carl', lastName: 'Stays' },
    ...(lastName ? [ada] : []),
  );
}

/** Returns the places that hold a secret: files of the ledger, the log of SQLite included, and what is printed. */
async function leaksOf(site: Site, printed: object = {}): Promise<string[]> {
  const stored = Object.entries({ ...(await storedBy(site, simplest, '')), printed: JSON.stringify(printed) });
  expect(stored.some(([, content]) => content.includes('Stays'))).toBe(true);
  return stored.filter(([, content]) => secrets.some((secret) => content.includes(secret))).map(([place]) => place);
}

test('No step of an account in doubt writes its password to the ledger', async () => {
  await using site = await openSite(simplest);
  await using proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.CMS_BASE_URL = proxy.url;
  writeTarget(site, `  concurrency: 1\n  maxAttempts: 2\n  backoff: 20ms\n  lookupAfter: 40ms\n`);
  const missing = 'missing: { policy: delete, after: 1 run, threshold: { percent: 60 } }\nonDeletedInCms: recreate';
  writePeopleSync(site, missing, { key: 'login', map: 'username: login, lastName: lastName, password: secret' });
  writeAda(site);
  await command(site, 'sync', 'people');

  const leaks: string[] = [];
  // While a request is on its way, the file has what its claim has written.
  proxy.intercept = async ({ operation }) => {
    if (!operation.startsWith('GET')) leaks.push(...(await leaksOf(site)).map((place) => `${place}: ${operation}`));
    return undefined;
  };
  const step = async (line: string, ...faults: object[]): Promise<void> => {
    await setFaults(site, ...faults);
    const printed = await command(site, ...line.split(' '));
    const explained = await command(site, 'explain', 'people', 'ada');
    leaks.push(...(await leaksOf(site, { printed, explained })).map((place) => `${place}: after ${line}`));
  };

  writeAda(site, 'Lovelace');
  await step('sync people', { ...refused, ...POST });
  await step('retry people', { ...lost, ...POST }, unreadList);
  writeAda(site, 'Byron');
  await step('sync people', unreadList);
  writeAda(site, 'Lovelace');
  await step('sync people');
  writeAda(site, 'Byron');
  await step('sync people', { ...lost, times: 1, ...PATCH }, { ...refused, skip: 1, ...PATCH });
  writeAda(site, 'Lovelace');
  await step('sync people');
  writeAda(site);
  await step('sync people', { ...lost, times: 1, method: 'DELETE' }, { ...refused, skip: 1, method: 'DELETE' });
  await step('sync people');
  await step('undo --last people --yes', { ...lost, ...POST });
  writeAda(site, 'Lovelace');
  await step('sync people', { ...lost, ...POST });
  await step('purge people --yes');
  await step('release people --yes');
  expect(leaks).toEqual([]);
  // The password was used, so it was there to leak.
  expect(proxy.requests.filter(({ body }) => body.includes(secrets[0] ?? '')).length).toBeGreaterThan(1);
});
