import { expect, test } from 'vitest';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite, type Site, simplest } from '../site.ts';

const MAPPED = 'title: title, date: date, time.start: start';

async function siteWith(more: string, map = MAPPED): Promise<Site> {
  const site = await openSite(simplest);
  writeTalksSync(site, more, { map });
  return site;
}

const talks = ['T1,Maps,2027-03-01,18:00', 'T2,Ships,2027-03-02,18:00', 'T3,Tides,2027-03-03,18:00'];

test('A record with an error in a used column keeps its item, and another one that left the feed is deleted', async () => {
  await using site = await siteWith('missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }');
  writeTalks(site, talks);
  await site.sync();
  writeTalks(site, ['T1,#REF!,2027-03-01,18:00', 'T3,Tides,2027-03-03,18:00']);
  const [report] = await site.sync();
  expect(report).toMatchObject({ status: 'partial', counts: { rejected: 1, unchanged: 1, deleted: 1 } });
  expect(report?.rejections).toMatchObject([
    {
      at: 'line 2',
      key: 'T1',
      code: 'FF_RECORD_VALUE',
      reason: '"#REF!" in column "title" is an error of a spreadsheet; correct its formula there',
    },
  ]);
  expect((await site.items('calendar/events')).map(({ title }) => title).sort()).toEqual(['Maps', 'Tides']);
});

test('Nothing is deleted while the key of a record is an error', async () => {
  await using site = await siteWith('missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }');
  writeTalks(site, talks);
  await site.sync();
  writeTalks(site, ['#N/A,Maps,2027-03-01,18:00', ...talks.slice(1)]);
  const [report] = await site.sync();
  expect(report).toMatchObject({ counts: { rejected: 1, unchanged: 2, missing: 0, deleted: 0 } });
  expect(report?.rejections[0]?.key).toBeUndefined();
});

test.each([
  ['a rule', MAPPED],
  ['a template', MAPPED.replace('title: title', 'title: { template: "{{ title }}!" }')],
])('A column counts as used by %s', async (_, map) => {
  await using site = await siteWith('', map);
  writeTalks(site, ['T1,#NAME?,2027-03-01,18:00,', 'T2,Ships,2027-03-02,18:00,#NAME?'], {
    columns: 'id,title,date,start,note',
  });
  expect(await site.sync()).toMatchObject([{ counts: { created: 1, rejected: 1 } }]);
});

test('A total that the condition of the sync leaves out is skipped', async () => {
  const total = ['', 'Total,3,,', ''];
  for (const [more, counts] of [
    ['when: { field: date, present: true }', { created: 3, skipped: 1, rejected: 0 }],
    ['', { created: 3, skipped: 0, rejected: 1 }],
  ] as const) {
    await using site = await siteWith(more);
    writeTalks(site, [...talks, ...total]);
    expect(await site.sync()).toMatchObject([{ counts }]);
  }
});
