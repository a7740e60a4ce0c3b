import { expect, test } from 'vitest';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { serveConsole } from '../serve-console.ts';
import { openSite, simplest } from '../site.ts';

const page = async (url: string) => {
  const response = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' });
  const { status, headers } = response;
  return { status, leadsTo: headers.get('location'), text: (await response.text()).replaceAll(/<[^>]*>/g, ' ') };
};

test('A search forgives a letter, an empty result names the feeds that fail, and a record leads to its item', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, ['T1,Orchestra concert,2027-03-01,18:00', 'T2,Maps and more,2027-03-02,10:00']);
  await site.sync();
  writeTalksSync(site, '', { name: 'walks' });
  await site.sync(['walks']);
  const url = await serveConsole(site);
  const found = async (words: string) => (await page(`${url}/records?words=${encodeURIComponent(words)}`)).text;

  // A letter that is wrong, missing or too many, and two that have changed places; in a word, or in one of several.
  for (const words of ['orchesdra', 'orchstra concert', 'orchhestra', 'orhcestra', 'Orchestra conzert']) {
    expect({ words, text: await found(words) }).toMatchObject({
      text: expect.stringMatching(/These are similar:[\s\S]*Orchestra concert/),
    });
  }
  expect(await found('orchestra')).not.toContain('similar');
  // A rejected record and a sync are found so, too.
  writeTalks(site, ['T1,Orchestra concert,2027-03-01,18:00', 'T3,Fledermaus premiere,2027-02-30,10:00']);
  await site.sync(['talks']);
  expect(await found('fledremaus')).toMatch(/These are similar:[\s\S]*Rejected by the last run[\s\S]*Fledermaus/);
  expect(await found('wallks')).toMatch(/These are similar:[\s\S]*Feeds with this name:\s+walks/);
  const none = await found('orgelkonzert');
  expect(none).not.toContain('Orchestra');
  expect(none).toMatch(/Feeds of which nothing new arrives now\s+walks\s+Failed/);

  const [item] = await site.items('calendar/events', '&sort=+id');
  const record = `${url}/syncs/talks/item?key=T1`;
  expect(await page(record)).toMatchObject({ status: 303, leadsTo: new URL(String(item?.url), site.sandbox.url).href });
  expect(await page(`${record}&in=cms`)).toMatchObject({ leadsTo: `${site.sandbox.url}/admin/events/${item?.id}` });
  expect(await page(`${url}/syncs/talks/item?key=T9`)).toMatchObject({ status: 404 });
  // The address of a form, loaded again, leads to its page; an address that is not there leads to the overview.
  expect(await page(`${url}/syncs/talks/retry`)).toMatchObject({ status: 303, leadsTo: '/syncs/talks' });
  expect((await page(`${url}/nope`)).text).toContain('Go to the overview');
});
