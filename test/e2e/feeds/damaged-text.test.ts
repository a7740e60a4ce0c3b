import { expect, test } from 'vitest';
import { writePeopleSync, writeTalksSync } from '../fixtures.ts';
import { openSite, simplest } from '../site.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const rows = Array.from({ length: 20 }, (_, index) => `T${index},Dvořák – Größe ${index},2031-03-01,18:00\n`);
const feed = ['id,title,date,start\n', ...rows].join('');

test.each([
  ['a non-breaking space', bytes('Jazz\xa0Club'), 'Jazz\u00a0Club'],
  ['an apostrophe of Word', bytes('Today\x92s'), 'Today’s'],
  ['a character that is cut off', bytes('violonc\xc3'), undefined],
])('A row with %s changes no other row of the next run', async (_, title, expected) => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  site.write('syncs/feeds/talks.csv', feed);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 20 } }]);

  const damaged = Buffer.concat([Buffer.from(`${feed}T20,`), title, Buffer.from(',2031-03-01,18:00\n')]);
  site.write('syncs/feeds/talks.csv', damaged);
  const [run] = await site.sync();
  const counts = expected === undefined ? { created: 0, rejected: 1 } : { created: 1, rejected: 0 };
  expect(run).toMatchObject({ counts: { read: 21, unchanged: 20, updated: 0, ...counts } });
  expect(run?.warnings).toMatchObject([{ at: 'line 22', message: expect.stringContaining('is not valid utf-8') }]);
  const titles = (await site.items('calendar/events')).map((item) => item.title);
  if (expected !== undefined) expect(titles).toContain(expected);
  else {
    expect(run?.rejections).toMatchObject([{ at: 'line 22', key: 'T20', code: 'FF_RECORD_MALFORMED' }]);
    expect(run?.rejections[0]?.reason).toBe(
      'title: "violonc\\xC3" has bytes that cannot be decoded: a character was cut off, or its charset is uncertain',
    );
  }
});

test('An item of a JSON list with a byte that cannot be decoded is rejected alone', async () => {
  await using site = await openSite(simplest);
  writePeopleSync(site);
  const person = (email: string, login: string) => `{"email":"${email}","login":"${login}"}`;
  const list = `[${person('a@x.org', 'Zoë')},${person('b@x.org', 'Caf|')},${person('c@x.org', 'Łódź')}]`;
  const [start = '', end = ''] = list.split('|');
  site.write('syncs/feeds/people.json', Buffer.concat([Buffer.from(start), bytes('\xc3'), Buffer.from(end)]));
  const [run] = await site.sync();
  expect(run).toMatchObject({ counts: { read: 3, created: 2, rejected: 1 } });
  expect(run?.rejections).toMatchObject([{ at: '$[1]', key: 'b@x.org' }]);
  const logins = (await site.items('account/accounts')).map((item) => item.username);
  expect(logins.sort()).toEqual(['Zoë', 'Łódź']);
});

const event = (name: string) => `{"@type":"Event","@id":"${name}","name":"${name}","startDate":"2031-03-01"}`;
const page = `<html><script type="application/ld+json">[${event('Zoë')},${event('Caf|')},${event('Łódź')}]</script></html>`;
const item = (title: string) => `{"id":"${title}","title":"${title}","date_published":"2031-03-01"}`;

test.each([
  ['JSON lines', 'json, lines: true', `${item('Zoë')}\n${item('Caf|')}\n${item('Łódź')}\n`, 'line 2'],
  ['JSON Feed', 'jsonfeed', `{"items":[${item('Zoë')},${item('Caf|')},${item('Łódź')}]}`, '$.items[1]'],
  ['JSON-LD in a page', 'jsonld', page, 'script 1, $[1]'],
  ['CSV', 'csv', 'id,title,date_published\n1,"Zoë\nx",2031-03-01\n2,"a\nCaf|\nb",2031-03-01\n', 'line 4'],
  [
    'CSV, also in the header',
    'csv',
    'id,title,date_published,no|\n1,Zoë,2031-03-01,x\n2,Caf|,2031-03-01,y\n',
    'line 3',
  ],
])('A record of %s with a byte that cannot be decoded is rejected alone', async (_, connector, content, at) => {
  await using site = await openSite(simplest);
  const map = `title: ${connector === 'jsonld' ? 'name' : 'title'}, start: ${connector === 'jsonld' ? 'startDate' : 'date_published'}`;
  writeTalksSync(site, '', { source: `connector: ${connector}, url: ./feeds/talks.x`, map });
  const parts = content.split('|').flatMap((part, index) => [...(index > 0 ? [bytes('\xc3')] : []), Buffer.from(part)]);
  site.write('syncs/feeds/talks.x', Buffer.concat(parts));
  const [run] = await site.sync();
  expect(run).toMatchObject({ counts: { rejected: 1 }, rejections: [{ at, code: 'FF_RECORD_MALFORMED' }] });
  const titles = (await site.items('calendar/events')).map(({ title }) => String(title));
  expect(titles).toHaveLength(connector === 'csv' ? 1 : 2);
  expect(titles.join()).toMatch(/^[ZoëxŁódź,\s]+$/);
});

test('A damaged line is named with its file', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site, '', { source: 'connector: csv, url: ./feeds/*.csv' });
  site.write('syncs/feeds/a.csv', feed);
  const others = feed.replaceAll(/^(?=[^i])/gm, 'B');
  site.write('syncs/feeds/b.csv', Buffer.concat([Buffer.from(`${others}X,Dvořák`), bytes('\x92s,2031-03-01,18:00\n')]));
  const [run] = await site.sync();
  expect(run?.warnings).toMatchObject([{ at: 'b.csv, line 22' }]);
});

test('Wrong letters in many records are counted in one warning', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  site.write('syncs/feeds/talks.csv', feed.replaceAll('Größe', 'GrÃ¶ÃŸe'));
  const expectWarnings = async () => {
    const [run] = await site.sync();
    const summary = '20 records have text with wrong letters; the first 10 are listed';
    expect(run?.warnings).toHaveLength(11);
    expect(run?.warnings).toContainEqual({ at: expect.stringContaining('talks.csv'), message: summary });
    expect(run?.warnings).toContainEqual({
      at: 'line 2',
      message: expect.stringContaining('probably for "Dvořák – Größe'),
    });
  };
  await expectWarnings();
  // Records that have not changed are reported, too.
  await expectWarnings();
});
