import { expect, test } from 'vitest';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { startRecordingProxy } from '../recording-proxy.ts';
import { openSite, type Site, simplest } from '../site.ts';

async function siteWithTalks(target = ''): Promise<Site> {
  const site = await openSite(simplest, { target });
  writeTalksSync(site);
  writeTalks(site, ['1,Maps,2027-03-01,18:00', '2,Ships,2027-03-02,18:00']);
  return site;
}

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
