import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Answers } from '../../../src/inference/proposal.ts';
import { openSample, takeSample } from '../../../src/source/sample/sample-feed.ts';
import { folderOf } from '../../support/folder.ts';

const { signal } = new AbortController();

async function sampleOf(content: string | Uint8Array, answers: Answers = {}) {
  const location = join(folderOf({ feed: content }), 'feed');
  return takeSample(await openSample(location, signal), 'feed', signal, { answers, lines: {} });
}

async function fieldsOf(content: string | Uint8Array) {
  const { sample } = await sampleOf(content);
  const { connector, options, records } = sample;
  return { connector, options, fields: records.map(({ fields }) => fields) };
}

async function sampleFrom(path: string, routes: Record<string, object>) {
  const server = createServer(({ url = '' }, response) => {
    response.statusCode = url in routes ? 200 : 404;
    response.end(JSON.stringify(routes[url] ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return takeSample(await openSample(address, signal), address, signal);
}

describe('CSV', () => {
  test.each([
    ['a comma', 'id,title\n1,"a, b"\n2,c\n', {}],
    ['a semicolon', 'id;title\n1;a, b\n2;c, d\n', { delimiter: ';' }],
    ['a tab', 'id\ttitle\n1\ta\n2\tb\n', { delimiter: '\t' }],
    ['a bar', 'id|title|text\n1|a, b|x\n2|c, d|y\n', { delimiter: '|' }],
    ['a comma and a blank', 'id, title\n1, a\n2, b\n', { delimiter: ', ' }],
    ['a comma and a blank, with commas in quotes', 'id, title\n1, "a, b"\n2, "c, d, e"\n', { delimiter: ', ' }],
    ['decimal commas', 'id;lat;lon\n1;52,5;13,4\n2;48,1;11,5\n', { delimiter: ';' }],
    ['single quotes', "id,title\n1,'a, b'\n2,'c, d'\n", { quote: "'" }],
    ['quotes as text', 'id;height\n1;6"\n2;5"\n3;4"\n', { delimiter: ';', quote: 'none' }],
    ['an announced delimiter', 'sep=;\nid;title\n1;a\n', { delimiter: ';' }],
  ])('Detects %s', async (_, text, options) => {
    const read = await fieldsOf(text);
    expect(read).toMatchObject({ connector: 'csv', options });
    expect(Object.keys(read.options)).toEqual(Object.keys(options));
    expect(read.fields[0]).toMatchObject({ id: '1' });
  });

  test('Finds the header row below titles', async () => {
    const read = await fieldsOf('Programme 2027;;;\n\nas of;2027-01-01;;\nid;title;date;room\n1;a;2027-03-01;B\n');
    expect(read.options).toEqual({ delimiter: ';', header: 4 });
    expect(read.fields).toEqual([{ id: '1', title: 'a', date: '2027-03-01', room: 'B' }]);
  });

  test('Names the columns of a table without a header row', async () => {
    const read = await fieldsOf('Anna,Berg,anna@example.org\nBo,Dahl,bo@example.org\n');
    expect(read.options).toEqual({ header: ['column1', 'column2', 'column3'] });
    expect(read.fields[0]).toEqual({ column1: 'Anna', column2: 'Berg', column3: 'anna@example.org' });
  });

  test('Makes repeated and empty names of a header row unique, and skips that row', async () => {
    const read = await fieldsOf('id,Name,,Name,Name_2\n1,a,b,c,d\n');
    expect(read.options).toEqual({ header: { line: 1, names: ['id', 'Name', 'column3', 'Name_3', 'Name_2'] } });
    expect(read.fields).toEqual([{ id: '1', Name: 'a', column3: 'b', Name_3: 'c', Name_2: 'd' }]);
  });

  test('Names columns at the end that have values, but no name', async () => {
    const read = await fieldsOf('id,title,,\n1,a,x,\n2,b,y,\n');
    expect(read.options).toEqual({ header: { line: 1, names: ['id', 'title', 'column3'] } });
    expect(read.fields[1]).toEqual({ id: '2', title: 'b', column3: 'y' });
  });

  test('Writes the charset only if the bytes do not show it by themselves', async () => {
    const rows = ['1;Frühjahrsempfang für alle Beschäftigten;1.3.2027', '2;Prüfungsordnung: Änderungen;2.3.2027'];
    const text = ['id;title;date', ...rows, ''].join('\n');
    expect((await fieldsOf(text)).options).toEqual({ delimiter: ';' });
    const latin = await fieldsOf(Buffer.from(text, 'latin1'));
    expect(latin.options).toEqual({ delimiter: ';', encoding: 'windows-1252' });
    expect(latin.fields[0]).toMatchObject({ title: 'Frühjahrsempfang für alle Beschäftigten' });
    expect((await fieldsOf(Buffer.from(`\ufeff${text}`, 'utf16le'))).options).toEqual({ delimiter: ';' });
  });

  test('Reads no more than 5,000 records', async () => {
    const rows = Array.from({ length: 6000 }, (_, index) => `${index},a\n`);
    const { sample } = await sampleOf(`id,title\n${rows.join('')}`);
    expect(sample.records).toHaveLength(5000);
    expect(sample.isWhole).toBe(false);
  });

  test('Fills rows that lack their last fields, if many do', async () => {
    const read = await fieldsOf(
      'id,title,room,price,text\n1,a\n2,b,B\n3,c,C,1\n4\n5,e,E\n6,f\n7,g\n8,h\n9,i,I,5,text\n10,j\n',
    );
    expect(read.options).toEqual({ shortRows: 'fill' });
    const empty = { room: '', price: '', text: '' };
    expect(read.fields).toHaveLength(10);
    expect(read.fields.slice(0, 4)).toEqual([
      { id: '1', title: 'a', ...empty },
      { id: '2', title: 'b', ...empty, room: 'B' },
      { id: '3', title: 'c', ...empty, room: 'C', price: '1' },
      { id: '4', title: '', ...empty },
    ]);
  });

  test('Counts the rows that cannot be read', async () => {
    const { sample, warnings } = await sampleOf('id,title\n1,a\n2,b,c,d\n3,c\n4,d\n');
    expect(sample).toMatchObject({ isWhole: true, records: [{ at: 'line 2' }, { at: 'line 4' }, { at: 'line 5' }] });
    expect(warnings).toEqual([expect.stringMatching(/^1 record cannot be read\. First: line 3: the row has 4 fields/)]);
  });
});

describe('JSON', () => {
  const talk = { id: 1, title: 'Maps', start: '2027-03-01' };

  test.each<[string, unknown, object]>([
    ['the document', [talk], {}],
    ['a member', { data: { items: [talk] }, meta: { total: 1 } }, { items: 'data.items' }],
    ['a list beside a list of words', { tags: ['a'], events: [talk] }, { items: 'events' }],
    ['the list with dates', { venues: [{ name: 'Hall' }, { name: 'B' }], events: [talk] }, { items: 'events' }],
    ['lists in a list', [{ day: 'Mon', events: [talk] }], { items: '$[*].events' }],
    ['wrapped items', { events: [{ event: { ...talk, instances: [{ date: '2027-03-01' }] } }] }, { items: 'events' }],
    ['an object of records', { events: { a: talk, b: talk } }, { items: 'events.*' }],
    ['a document with HTML in it', { value: [{ ...talk, body: '<html><p>Maps</p></html>' }] }, { items: 'value' }],
    ['an odd name', { 'my events.': [talk] }, { items: "$['my events.']" }],
  ])('Finds the records in %s', async (_, document, options) => {
    const read = await fieldsOf(JSON.stringify(document));
    expect(read).toMatchObject({ connector: 'json', options });
    expect(Object.keys(read.options)).toEqual(Object.keys(options));
    expect(JSON.stringify(read.fields[0])).toContain('Maps');
  });

  test('Asks which list is meant if two look like records', async () => {
    const document = JSON.stringify({ past: [talk, { ...talk, id: 2 }], upcoming: [talk] });
    const { sample, open } = await sampleOf(document);
    expect(sample.options).toEqual({ items: 'upcoming' });
    expect(open).toMatchObject([
      { id: 'items', safe: 'upcoming', choices: [{ value: 'upcoming' }, { value: 'past' }] },
    ]);
    const answered = await sampleOf(document, { items: 'past' });
    expect(answered).toMatchObject({
      open: [],
      sample: { options: { items: 'past' }, records: [{ at: '$.past[0]' }, { at: '$.past[1]' }] },
    });
  });

  test('Counts identical records as one, and leaves out rows that are no records', async () => {
    const items = [talk, { ...talk, id: 2 }, talk, { ...talk, id: 2, title: 'Ships' }, talk];
    const { sample, warnings } = await sampleOf(JSON.stringify(items));
    expect(sample.records.map(({ at }) => at)).toEqual(['$[0]', '$[1]', '$[3]']);
    expect(warnings).toEqual([
      '2 records repeat an earlier one in all fields; identical records count as one. First: $[2].',
    ]);
    const table = await sampleOf('id;title;start\n1;Maps;2027-03-01\n2;Ships;2027-03-02\n\nTotal;2;\n');
    expect(table.sample.records).toHaveLength(2);
    expect(table.warnings).toEqual([
      expect.stringContaining('1 record cannot be read. First: line 5: the row looks like'),
    ]);
  });

  test('Recognises JSON lines, JSON Feed and schema.org', async () => {
    const talks = [talk, { ...talk, id: 2 }];
    const lines = talks.map((each) => `${JSON.stringify(each)}\n`).join('');
    expect(await fieldsOf(lines)).toMatchObject({ connector: 'json', options: { lines: true }, fields: talks });
    const feed = { version: 'https://jsonfeed.org/version/1.1', items: [{ id: '1', title: 'Maps' }] };
    expect(await fieldsOf(JSON.stringify(feed))).toMatchObject({ connector: 'jsonfeed', options: {} });
    const event = { '@context': 'https://schema.org', '@type': 'MusicEvent', name: 'Maps', startDate: '2027-03-01' };
    expect(await fieldsOf(JSON.stringify(event))).toMatchObject({ connector: 'jsonld', fields: [{ name: 'Maps' }] });
    const address = 'http://schema.org/';
    const expanded = {
      '@type': [`${address}Event`],
      [`${address}name`]: 'Maps',
      [`${address}startDate`]: '2027-03-01',
    };
    expect(await fieldsOf(JSON.stringify([expanded]))).toMatchObject({
      connector: 'jsonld',
      fields: [{ name: 'Maps' }],
    });
    const page = `<!DOCTYPE html><html><script type="application/ld+json">${JSON.stringify(event)}</script></html>`;
    expect(await fieldsOf(page)).toMatchObject({ connector: 'jsonld', fields: [{ name: 'Maps' }] });
  });

  test('Follows the pages of an address, and writes how', async () => {
    const page = (ids: number[], next?: string) => ({ events: ids.map((id) => ({ ...talk, id })), next });
    const linked = { '/api': page([1, 2], '/api?page=2'), '/api?page=2': page([3]) };
    const { sample, warnings } = await sampleFrom('/api', linked);
    const pages = { by: 'link', path: 'next' };
    expect(sample.options).toEqual({ items: 'events', pages, allowPrivateNetwork: true });
    expect(sample.records.map(({ fields }) => fields.id)).toEqual([1, 2, 3]);
    expect(warnings).toEqual([expect.stringContaining('is in a private network')]);
    expect(sample.isWhole).toBe(true);
  });

  test('Writes no pages for an address that always sends the same list', async () => {
    const list = Array.from({ length: 20 }, (_, id) => ({ ...talk, id }));
    const { sample } = await sampleFrom('/api', { '/api': list, '/api?page=2': list });
    expect(sample.options).toEqual({ allowPrivateNetwork: true });
    expect(sample.records).toHaveLength(20);
  });

  test('Reads the beginning of a document that is cut off', async () => {
    const text = JSON.stringify({ events: [talk, { ...talk, title: 'cut' }] });
    const { sample, warnings } = await sampleOf(text.slice(0, -25));
    expect(sample).toMatchObject({ options: { items: 'events' }, records: [{ at: '$.events[0]' }], isWhole: false });
    expect(warnings).toEqual([expect.stringContaining('cut off')]);
  });

  test('Takes the zone that the document names', async () => {
    const { sample } = await sampleOf(JSON.stringify({ timeZone: 'Europe/Paris', items: [talk] }));
    expect(sample.timezone).toBe('Europe/Paris');
  });
});

describe('iCal', () => {
  const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n');
  const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT'];

  test.each([
    ['X-WR-TIMEZONE', calendar('X-WR-TIMEZONE:Europe/Rome', ...event('DTSTART:20270301T100000')), 'Europe/Rome'],
    [
      'the zone of its events',
      calendar(...event('DTSTART;TZID=W. Europe Standard Time:20270301T100000')),
      'Europe/Berlin',
    ],
    ['no zone if all times are in UTC', calendar(...event('DTSTART:20270301T100000Z')), undefined],
  ])('Takes %s', async (_, text, timezone) => {
    const { sample } = await sampleOf(text);
    expect(sample).toMatchObject({ connector: 'ical', options: {}, records: [{ fields: { uid: '1' } }] });
    expect(sample.timezone).toBe(timezone);
  });

  test('Reads a calendar that is not valid UTF-8', async () => {
    const text = calendar(...event('SUMMARY:Fête', 'DTSTART:20270301'));
    const { sample } = await sampleOf(Buffer.from(text, 'latin1'));
    expect(sample).toMatchObject({ connector: 'ical', options: {}, records: [{ fields: { summary: 'Fête' } }] });
  });
});

const link = '<html><a href="https://example.org/a.ics?x=1&amp;y=2">x</a>';

test.each<[string, string | Uint8Array, RegExp]>([
  ['XML', '<?xml version="1.0"?><urlset><url/></urlset>', /iCal.*JSON or CSV/],
  ['RSS without the days of events', '<rss><channel><item><title>A</title></item></channel></rss>', /iCal/],
  ['a web page', '<!DOCTYPE html><html><body>Events</body></html>', /Look on the page for an iCal/],
  ['a web page with a link', link, /feedferry init 'https:\/\/example\.org\/a\.ics\?x=1&y=2'/],
  ['a spreadsheet', zipSync({ '[Content_Types].xml': Buffer.from('x') }), /CSV/],
  ['an old spreadsheet', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /CSV/],
  ['a PDF', '%PDF-1.7', /CSV/],
  ['a vCard', 'BEGIN:VCARD\nEND:VCARD\n', /CSV/],
  ['nothing', '', /./],
  ['prose', 'It was a dark night.\nThe rain fell, in torrents, and so on.\nNobody came.\n', /CSV/],
  ['control characters', Buffer.from(Array.from({ length: 999 }, (_, index) => (index * 7) % 32)), /CSV/],
  ['JSON without a list', '{"message":"not found"}', /./],
  ['broken JSON', '{"a" 1}', /./],
  ['deep JSON', '['.repeat(100_000), /./],
])('Refuses %s with what to do', async (_, content, remedy) => {
  const error = { code: 'FF_FEED_FORMAT', remedy: expect.stringMatching(remedy) };
  await expect(sampleOf(content)).rejects.toMatchObject(error);
});
