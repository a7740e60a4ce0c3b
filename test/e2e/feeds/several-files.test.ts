import { expect, test } from 'vitest';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite, png } from '../site.ts';

test('Several files form one feed, places name their file, and attachments are relative to it', async () => {
  await using site = await openSite({ ledger: 'sqlite', queue: 'in-process' });
  writeTalksSync(site, 'attachments: { image: image }', { source: 'connector: csv, url: "./feeds/**/*.csv"' });
  const columns = 'id,title,date,start,image';
  const first = ['T1,Maps,2027-03-01,18:00,', 'T2,Ships,2027-03-02,10:00,', 'T3,,2027-03-03,09:00,'];
  writeTalks(site, first, { name: 'a', columns });
  const second = ['T4,Knots,2027-03-04,09:00,b.png', 'T1,Atlases,2027-03-01,18:00,', 'T2,Ships,2027-03-02,10:00,'];
  writeTalks(site, second, { name: 'more/b', columns });
  site.write('syncs/feeds/more/b.png', png(1));

  const [report] = await site.sync();
  expect(report).toMatchObject({ complete: true, counts: { read: 5, created: 2, rejected: 3, uploaded: 1 } });
  expect(report?.rejections.map(({ at }) => at).sort()).toEqual(['a.csv, line 2', 'a.csv, line 4', 'b.csv, line 3']);
  expect(await site.items('calendar/events')).toHaveLength(2);
});
