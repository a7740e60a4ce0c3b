import { expect, test } from 'vitest';
import { setFaults, writePeopleSync, writeTalks, writeTalksSync } from '../fixtures.ts';
import { startRecordingProxy } from '../recording-proxy.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';

async function siteWithTalks(target = ''): Promise<Site> {
  const site = await openSite(simplest, { target });
  writeTalksSync(site);
  writeTalks(site, ['1,Maps,2027-03-01,18:00', '2,Ships,2027-03-02,18:00']);
  return site;
}

const asPeople = { name: 'talks', source: 'connector: csv, url: ./feeds/talks.csv', key: 'id' };

test('Another site or calendar does not count as one from which everything was deleted', async () => {
  await using site = await siteWithTalks();
  await site.sync();
  await using elsewhere = await openSite(simplest);
  site.variables.CMS_BASE_URL = elsewhere.sandbox.url;
  writeTalks(site, ['1,Charts,2027-03-01,18:00', '2,Ships,2027-03-02,18:00']);
  const refused = { status: 'failed', error: { code: 'FF_DESTINATION_CHANGED' } };
  expect(await site.sync()).toMatchObject([refused]);
  expect(elsewhere.sandbox.stats().total).toBe(0);

  site.variables.CMS_BASE_URL = site.sandbox.url;
  writeTalksSync(site, 'instance: arts\n');
  expect(await site.sync()).toMatchObject([refused]);
  writeTalksSync(site);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, unchanged: 1 } }]);
});

test('The events of a sync do not become accounts', async () => {
  await using site = await siteWithTalks();
  const [{ run = '' } = {}] = await site.sync();
  writePeopleSync(site, '', { ...asPeople, map: 'email: title, firstName: date' });
  site.writes();
  const before = site.sandbox.stats().total;
  const commands = ['sync', 'backfill', 'undo', 'purge', 'verify'].map((name) => {
    return { undo: ['undo', run, '--yes'], purge: ['purge', 'talks', '--yes'] }[name] ?? [name, 'talks'];
  });
  for (const command of [['plan', 'talks'], ...commands]) {
    const { exitCode, stdout, stderr } = await runHere(command, site.variables);
    expect({ command, exitCode, said: stdout + stderr }).toMatchObject({
      exitCode: 1,
      said: expect.stringMatching(/FF_DESTINATION_CHANGED.*2 records of "talks" among the events/s),
    });
  }
  expect(site.sandbox.stats().total).toBe(before);
  writeTalksSync(site);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
});

test('A record that the CMS has never had may become one of another resource', async () => {
  await using site = await siteWithTalks();
  writePeopleSync(site, '', { ...asPeople, map: 'firstName: title, lastName: date' });
  await setFaults(site, { kind: 'error', status: 422, when: 'before', method: 'POST' });
  expect(await site.sync()).toMatchObject([{ counts: { failed: 2 } }]);
  await setFaults(site);
  writeTalksSync(site);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2 } }]);
  // Both are created at the same time.
  const items = await site.items('calendar/events');
  expect(items.map(({ title }) => title).sort()).toEqual(['Maps', 'Ships']);
});

test('A site that has moved is the same site once the operator confirms it', async () => {
  await using site = await siteWithTalks('  movedFrom: ${OLD_URL:-https://www.example.edu}\n');
  await site.sync();
  await using proxy = await startRecordingProxy(site.sandbox.url);
  site.variables.OLD_URL = site.sandbox.url;
  site.variables.CMS_BASE_URL = proxy.url;
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
  // From then on it is at home there.
  site.variables.OLD_URL = 'https://www.example.edu';
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 2 } }]);
});
