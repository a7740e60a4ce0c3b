import { expect, test } from 'vitest';
import { openSite, png } from '../site.ts';

test('Several files form one feed, places name their file, and attachments are relative to it', async () => {
  await using site = await openSite({ ledger: 'sqlite', queue: 'in-process' });
  site.write(
    'syncs/talks.yaml',
    `resource: events
source: { connector: csv, url: "./feeds/**/*.csv" }
key: id
map: { title: title, date: date, time.start: start }
attachments: { image: image }
`,
  );
  const header = 'id,title,date,start,image\n';
  site.write(
    'syncs/feeds/a.csv',
    `${header}T1,Maps,2027-03-01,18:00,\nT2,Ships,2027-03-02,10:00,\nT3,,2027-03-03,09:00,\n`,
  );
  site.write('syncs/feeds/more/b.csv', `${header}T4,Knots,2027-03-04,09:00,b.png\nT1,Maps,2027-03-01,18:00,\n`);
  site.write('syncs/feeds/more/b.png', png(1));

  const [report] = await site.sync();
  expect(report).toMatchObject({ complete: true, counts: { read: 5, created: 2, rejected: 3, uploaded: 1 } });
  expect(report?.rejections.map(({ at }) => at).sort()).toEqual(['a.csv, line 2', 'a.csv, line 4', 'b.csv, line 3']);
  expect(await site.items('calendar/events')).toHaveLength(2);
});
