import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { openSite, simplest } from '../site.ts';

const item = (id: number, title: string, times: string) =>
  `<item><guid>${id}</guid><title>${title}</title><link>https://town.example/${id}</link><description>&lt;p&gt;About ${title}&lt;/p&gt;</description><pubDate>Mon, 04 Jan 2027 09:00:00 GMT</pubDate>${times}</item>`;
const times = (day: string, from: string, to = '') =>
  `<ev:startdate>${day}T${from}</ev:startdate>${to && `<ev:enddate>${day}T${to}</ev:enddate>`}<ev:location>Hall</ev:location>`;
const rss = (title: string) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:ev="http://purl.org/rss/1.0/modules/event/"><channel><title>Town</title>${[
    item(1, 'Maps', times('2027-03-01', '18:00:00', '20:00:00')),
    item(2, title, times('2027-03-02', '10:00:00Z')),
    item(3, 'Tides', ''),
  ].join('')}</channel></rss>`;

test('The events of an RSS feed are proposed and delivered, by the days of its extension', async () => {
  await using site = await openSite(simplest);
  site.write('feeds/town.xml', rss('Ships'));
  site.write(
    'syncs/town.yaml',
    'resource: events\nsource: { connector: rss, url: ../feeds/town.xml, timezone: America/New_York }\n',
  );
  const [first] = await site.sync();
  expect(first).toMatchObject({ status: 'partial', complete: true, counts: { created: 2, rejected: 1 } });
  expect(first?.rejections).toMatchObject([{ at: 'item 3', key: '3' }]);
  expect(await site.items('calendar/events')).toContainEqual(
    expect.objectContaining({ title: 'Maps', date: '2027-03-01', description: '<p>About Maps</p>' }),
  );
  site.write('feeds/town.xml', rss('Boats'));
  expect(await site.sync()).toMatchObject([{ counts: { updated: 1, unchanged: 1, rejected: 1 } }]);

  writeFileSync(join(site.dir, 'feed'), rss('Ships'));
  const written = await runHere(['init', join(site.dir, 'feed'), '--yes', '--json', '--name', 'found'], site.variables);
  expect(written, written.stderr).toMatchObject({ exitCode: 0 });
  expect(written.json()).toMatchObject({
    resource: 'events',
    connector: 'rss',
    key: 'id',
    map: { title: 'title', start: 'start' },
  });
});
