import { expect, test } from 'vitest';
import { openSite, type Site, simplest } from '../site.ts';

test('Missing records are deleted in the second run by default', async () => {
  await using site = await openTalks('missing: { policy: delete }');
  writeTalks(site, 10);
  await site.sync();
  writeTalks(site, 9);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 1, deleted: 0 } }]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 1, deleted: 1 } }]);
});

test('A feed that shrinks slowly is held, and an approval settles it', async () => {
  await using site = await openTalks('missing: { policy: delete, after: 1 run }');
  writeTalks(site, 20);
  await site.sync();
  writeTalks(site, 16);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 4 } }]);
  writeTalks(site, 14);
  const [held] = await site.sync();
  expect(held).toMatchObject({
    status: 'held',
    error: { code: 'FF_GUARD_MISSING', message: expect.stringContaining('With the 4 that were removed') },
  });
  expect(await site.approve('talks', String(held?.run))).toMatchObject({ counts: { deleted: 2 } });
  writeTalks(site, 13);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { deleted: 1 } }]);
});

test('The feed of another site is held, and an approval settles it', async () => {
  await using site = await openTalks('');
  writeTalks(site, 20);
  await site.sync();
  site.writes();
  writeTalks(site, 20, 'Lunch', '2031-04-02');
  const [held] = await site.sync();
  expect(held).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_CHANGES' } });
  expect(site.writes()).toEqual({});
  expect(await site.approve('talks', String(held?.run))).toMatchObject({
    status: 'success',
    counts: { updated: 20 },
  });
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 20 } }]);
});

test('Changes of one attribute, and those of the config, are not held', async () => {
  await using site = await openTalks('');
  writeTalks(site, 20);
  await site.sync();
  writeTalks(site, 20, 'Lunch');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 20 } }]);
  writeSync(site, '', '{ title: place, date: other, time.start: start }');
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 20 } }]);
});

async function openTalks(rules: string): Promise<Site> {
  const site = await openSite(simplest);
  writeSync(site, rules);
  return site;
}

function writeSync(site: Site, rules: string, map = '{ title: title, date: date, time.start: start }'): void {
  site.write(
    'syncs/talks.yaml',
    `resource: events\nsource: { connector: csv, url: ./talks.csv }\nkey: id\nmap: ${map}\n${rules}\n`,
  );
}

function writeTalks(site: Site, count: number, title = 'Talk', date = '2031-03-01'): void {
  const rows = Array.from({ length: count }, (_, id) => `${id},${title} ${id},${date},18:00,Hall ${id},2031-05-01`);
  site.write('syncs/talks.csv', ['id,title,date,start,place,other', ...rows, ''].join('\n'));
}
