import { expect, test } from 'vitest';
import { startRecordingProxy } from '../recording-proxy.ts';
import { combinations, openSite, type Site } from '../site.ts';

const [simple = { ledger: 'sqlite', queue: 'in-process' } as const] = combinations;

async function siteWithTalks(target = ''): Promise<Site> {
  const site = await openSite(simple, { target });
  writeSync(site);
  site.write('syncs/talks.csv', 'id,title,date,start\n1,Maps,2027-03-01,18:00\n2,Ships,2027-03-02,18:00\n');
  return site;
}

function writeSync(site: Site, more = ''): void {
  site.write(
    'syncs/talks.yaml',
    `resource: events\nsource: { connector: csv, url: ./talks.csv }\nkey: id\nmap: { title: title, date: date, time.start: start }\n${more}`,
  );
}

test('Another site or calendar does not count as one from which everything was deleted', async () => {
  await using site = await siteWithTalks();
  await site.sync();
  await using elsewhere = await openSite(simple);
  site.variables.CMS_BASE_URL = elsewhere.sandbox.url;
  site.write('syncs/talks.csv', 'id,title,date,start\n1,Charts,2027-03-01,18:00\n2,Ships,2027-03-02,18:00\n');
  const refused = { status: 'failed', error: { code: 'FF_DESTINATION_CHANGED' } };
  expect(await site.sync()).toMatchObject([refused]);
  expect(elsewhere.sandbox.stats().total).toBe(0);

  site.variables.CMS_BASE_URL = site.sandbox.url;
  writeSync(site, 'instance: arts\n');
  expect(await site.sync()).toMatchObject([refused]);
  writeSync(site);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 1, unchanged: 1 } }]);
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
