import { renameSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openSite, type Site, simplest } from '../site.ts';

type Answer = (page: string | null, response: ServerResponse) => void;

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const fields = (id: number) => ({ id: String(id), title: `Talk ${id}`, date: '2031-03-01', start: '18:00' });
const HEAD = 'id,title,date,start';
const csv = (count: number) => [HEAD, ...ids(count).map((id) => Object.values(fields(id)).join(',')), ''].join('\n');
const lines = (count: number) =>
  ids(count)
    .map((id) => `${JSON.stringify(fields(id))}\n`)
    .join('');
const json = (count: number, more: object = {}, from = 0) =>
  JSON.stringify({ ...more, items: ids(count, from).map(fields) });
const event = (id: number, more = '') =>
  `BEGIN:VEVENT\nUID:${id}\nSUMMARY:Talk ${id}\nDTSTART:20310301T180000Z\n${more}END:VEVENT\n`;
const ical = (count: number, between = '') =>
  `BEGIN:VCALENDAR\n${ids(count)
    .map((id) => event(id))
    .join(between)}END:VCALENDAR\n`;

const body =
  (content: string, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(200, headers).end(content);
/** Ends with its connection, without a length or chunks. */
const unframed =
  (content: string): Answer =>
  (_, response) => {
    response.useChunkedEncodingByDefault = false;
    response.write(content);
    response.end();
  };
const paged =
  (...pages: string[]): Answer =>
  (page, response) =>
    response.end(pages[Number(page ?? 1) - 1] ?? json(0));

const BY_NUMBER = 'connector: json, items: items, pages: { by: number, parameter: page }';
const BY_LINK = 'connector: json, items: items, pages: { by: cursor, path: next, parameter: page }';
const CSV = 'connector: csv';
const JSON_ITEMS = 'connector: json, items: items';

const LATER = 'Mon, 01 Mar 2027 11:00:00 GMT';
const EARLIER = 'Mon, 01 Mar 2027 10:00:00 GMT';

test.each<[sign: string, source: string, whole: Answer, cut: Answer]>([
  ['a connection without length or chunks, CSV', CSV, unframed(csv(10)), unframed(csv(8))],
  [
    'a connection without length or chunks, JSON lines',
    'connector: json, lines: true',
    unframed(lines(10)),
    unframed(lines(8)),
  ],
  ['a row that is cut in its last value', CSV, body(csv(10)), body(csv(8).slice(0, -2))],
  ['an error in the last row', CSV, body(csv(10)), body(`${csv(8)}Error: the database is gone,,,\n`)],
  ['Content-Range', CSV, body(csv(10)), body(csv(8), { 'content-range': 'bytes 0-99/200' })],
  [
    'an older version from a cache',
    CSV,
    body(csv(10), { 'last-modified': LATER }),
    body(csv(8), { 'last-modified': EARLIER, age: '600' }),
  ],
  [
    'only records that share their keys',
    CSV,
    body(csv(10)),
    body(
      csv(8) +
        csv(8)
          .slice(HEAD.length + 1)
          .replaceAll('Talk', 'Walk'),
    ),
  ],
  ['a total beside fewer items', JSON_ITEMS, body(json(10, { total: 10 })), body(json(8, { meta: { total: 10 } }))],
  ['truncated: true', JSON_ITEMS, body(json(10, { total: 10 })), body(json(8, { truncated: true }))],
  ['a link to a next page', JSON_ITEMS, body(json(10, { total: 10 })), body(json(8, { links: { next: '/?page=2' } }))],
  ['a list as long as its limit', JSON_ITEMS, body(json(10, { next: null })), body(json(8, { limit: 8 }))],
  ['an empty page before the total', BY_NUMBER, paged(json(5), json(5, {}, 5)), paged(json(8, { total: 10 }))],
  [
    'next that ends too early',
    BY_LINK,
    paged(json(5, { total: 10, next: 2 }), json(5, { total: 10 }, 5)),
    paged(json(8, { total: 10, next: null })),
  ],
  [
    'fewer pages than declared',
    BY_LINK,
    paged(json(5, { next: 2 }), json(5, {}, 5)),
    paged(json(8, { pages: 2, next: null })),
  ],
  [
    'a list that moves while it is read',
    BY_NUMBER,
    paged(json(5, { total: 10 }), json(5, { total: 10 }, 5)),
    paged(json(4, { total: 10 }), json(4, { total: 8 }, 4)),
  ],
  ['a web page inside a calendar', 'connector: ical', body(ical(10)), body(ical(8, '<p>Fatal error</p>\n'))],
  ['a message inside a calendar', 'connector: ical', body(ical(10)), body(ical(8, 'Warning - no connection\n'))],
  [
    'a gap inside a calendar',
    'connector: ical',
    body(ical(10)),
    body(ical(10).replace(/DTSTART[^\n]*\nEND:VEVENT\nBEGIN:VEVENT\nUID:3.*?END:VEVENT\n/s, '')),
  ],
  [
    'a series that is given up',
    'connector: ical',
    body(ical(10)),
    body(ical(8).replace('DTSTART:20310301T18', 'RRULE:FREQ=SECONDLY\nEXRULE:FREQ=SECONDLY\nDTSTART:20260301T18')),
  ],
])('Nothing is deleted after %s', async (_, source, whole, cut) => {
  let answer = whole;
  const url = await serve((page, response) => answer(page, response));
  await using site = await openTalks(`${source}, url: "${url}", allowPrivateNetwork: true`);
  expect(await site.sync()).toMatchObject([{ counts: { created: 10 } }]);

  answer = cut;
  const [report] = await site.sync();
  expect(report).toMatchObject({ status: 'partial', counts: { missing: 0, deleted: 0 } });
  expect(await site.items('calendar/events')).toHaveLength(10);
});

test.each([
  ['a table', CSV, csv],
  [
    'a calendar',
    'connector: ical',
    (count: number) => ical(count, '').replace('END:VEVENT', 'RRULE:FREQ=DAILY;COUNT=4\nEND:VEVENT'),
  ],
])('Nothing is deleted after %s that was longer ends at a round number', async (_, source, content) => {
  let answer = body(content(104));
  const url = await serve((page, response) => answer(page, response));
  await using site = await openTalks(`${source}, url: "${url}", allowPrivateNetwork: true`);
  await site.sync();
  for (const count of [100, 50, 25]) {
    answer = body(content(count));
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { missing: 0, deleted: 0 } }]);
  }
  answer = body(content(101));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 3, deleted: 3 } }]);
});

test('Nothing is deleted if records moved between pages, so that one is read twice', async () => {
  let answer = paged(json(5), json(5, {}, 5));
  const url = await serve((page, response) => answer(page, response));
  await using site = await openTalks(`${BY_NUMBER}, url: "${url}", allowPrivateNetwork: true`);
  expect(await site.sync()).toMatchObject([{ counts: { created: 10 } }]);

  answer = paged(json(5), json(4, {}, 4));
  const [report] = await site.sync();
  expect(report).toMatchObject({ status: 'success', counts: { read: 8, unchanged: 8, missing: 0, deleted: 0 } });
  expect(report?.warnings.map(({ message }) => message)).toEqual([
    'Repeats $.items[4]: identical records count as one',
    'No record counts as missing: 1 records on its pages share their keys',
  ]);
});

test.each<[source: string, whole: Answer, less: Answer]>([
  [CSV, body(csv(10)), body(csv(8))],
  ['connector: ical', unframed(ical(10)), unframed(ical(8))],
  [JSON_ITEMS, unframed(json(10, { total: 10, next: null })), unframed(json(8, { total: 8, next: null }))],
  [BY_NUMBER, paged(json(5), json(5, {}, 5)), paged(json(5), json(3, {}, 5))],
  [`${JSON_ITEMS}, ignoreSigns: [total]`, body(json(10, { next: null })), body(json(8, { total: 99 }))],
])('What a whole feed no longer has is deleted (%s)', async (source, whole, less) => {
  let answer = whole;
  const url = await serve((page, response) => answer(page, response));
  await using site = await openTalks(`${source}, url: "${url}", allowPrivateNetwork: true`);
  await site.sync();
  answer = less;
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 2, deleted: 2 } }]);
});

test.each<[source: string, rows: (count: number) => string, isFile?: 'file']>([
  [CSV, csv],
  [CSV, csv, 'file'],
  [JSON_ITEMS, json, 'file'],
  ['connector: json, lines: true', lines, 'file'],
])(
  'Nothing is deleted after rows that end at a round number, fewer than before (%s %#)',
  async (source, rows, isFile) => {
    let content = rows(62);
    const url = isFile ? './feed.txt' : await serve((_, response) => response.end(content));
    await using site = await openTalks(`${source}, url: "${url}"${isFile ? '' : ', allowPrivateNetwork: true'}`);
    const syncWith = (count: number) => {
      content = rows(count);
      if (isFile) site.write('syncs/feed.txt', content);
      return site.sync();
    };
    expect(await syncWith(62)).toMatchObject([{ counts: { created: 62 } }]);
    const partial = { status: 'partial', complete: false, counts: { missing: 0, deleted: 0 } };
    for (const [report] of [await syncWith(50), await syncWith(50)]) {
      expect(report).toMatchObject(partial);
      expect(report?.receipt?.reason).toContain('it has exactly 50 rows instead of 62, as if a limit had cut it there');
    }
    expect(await syncWith(51)).toMatchObject([{ status: 'success', counts: { missing: 11, deleted: 11 } }]);
    // One record that is missing is a removal.
    expect(await syncWith(50)).toMatchObject([{ status: 'success', counts: { missing: 1, deleted: 1 } }]);
    expect(await syncWith(50)).toMatchObject([{ status: 'success', counts: { missing: 0, unchanged: 50 } }]);
  },
);

test('Rows that end at a round number are a whole feed if the sync says so, or if all that is missing is over', async () => {
  await using site = await openTalks('connector: csv, url: "./talks.csv"');
  const over = ids(12).map((id) => `past ${id},Past,2020-03-01,18:00\n`);
  site.write('syncs/talks.csv', csv(50) + over.join(''));
  expect(await site.sync()).toMatchObject([{ counts: { created: 62 } }]);
  site.write('syncs/talks.csv', csv(50));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 0, unchanged: 50 } }]);

  await using lax = await openTalks('connector: csv, url: "./talks.csv", ignoreSigns: [fullPage]');
  lax.write('syncs/talks.csv', csv(62));
  await lax.sync();
  lax.write('syncs/talks.csv', csv(50));
  expect(await lax.sync()).toMatchObject([{ status: 'success', counts: { missing: 12, deleted: 12 } }]);
});

test('Nothing leaves a source of several whose rows end at a round number, fewer than before', async () => {
  await using site = await openSite(simplest);
  site.write(
    'syncs/talks.yaml',
    `resource: events
sources:
  one: { connector: csv, url: ./one.csv }
  two: { connector: csv, url: ./two.csv }
key: id
map: { title: title, date: date, time.start: start }
missing: { policy: delete, after: 1 run }
`,
  );
  site.write('syncs/one.csv', csv(62));
  site.write('syncs/two.csv', `${HEAD}\nA,Other,2031-04-01,18:00\n`);
  expect(await site.sync()).toMatchObject([{ counts: { created: 63 } }]);
  site.write('syncs/one.csv', csv(50));
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { missing: 0, deleted: 0 } }]);
  site.write('syncs/one.csv', csv(61));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 1, deleted: 1 } }]);
});

test('Nothing is deleted while one of several files is missing', async () => {
  await using site = await openTalks('connector: csv, url: "./talks-*.csv"');
  const [head, ...rows] = csv(10).trimEnd().split('\n');
  const write = (name: string, some: string[]) => site.write(`syncs/${name}`, [head, ...some, ''].join('\n'));
  write('talks-1.csv', rows.slice(0, 8));
  write('talks-2.csv', rows.slice(8));
  await site.sync();
  renameSync(`${site.dir}/config/syncs/talks-2.csv`, `${site.dir}/config/syncs/talks-2.csv.part`);
  expect(await site.sync()).toMatchObject([{ status: 'partial', complete: false, counts: { missing: 0, deleted: 0 } }]);
  expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { deleted: 0 } }]);
  write('talks-2.csv', []);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { missing: 2, deleted: 2 } }]);
});

async function openTalks(source: string): Promise<Site> {
  const site = await openSite(simplest);
  const isCalendar = source.includes('ical');
  site.write(
    'syncs/talks.yaml',
    `resource: events
source: { ${source} }
key: ${isCalendar ? 'uid' : 'id'}
${isCalendar ? '' : 'map: { title: title, date: date, time.start: start }\n'}missing: { policy: delete, after: 1 run }
`,
  );
  return site;
}

async function serve(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    answer(new URL(request.url ?? '', 'http://feed').searchParams.get('page'), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
