import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Digest, digestOf, feedPage } from '../../../src/alerts/digests/compose.ts';
import type { DigestFacts, RejectedEntry } from '../../../src/alerts/digests/facts.ts';
import { ownersMistake } from '../../../src/alerts/digests/mistakes.ts';
import { digestMail, digestText } from '../../../src/alerts/digests/render.ts';
import { entryTable } from '../../../src/alerts/digests/table.ts';
import { digestTexts } from '../../../src/alerts/digests/texts/languages.ts';
import type { FileMistake, Mistake } from '../../../src/alerts/digests/texts/texts.ts';
import { dateExample } from '../../../src/core/dates/date-example.ts';
import { eventSync } from '../mapping/setup.ts';

const mistakes: Mistake[] = [
  ...(['date', 'missing', 'key', 'duplicate', 'lookup', 'malformed', 'email', 'web', 'yesNo', 'value'] as const),
  ...(['noDay', 'alt', 'short', 'long', 'narrow'] as const),
];
const files: FileMistake[] = ['unreadable', 'type', 'large', 'outside'];

/** Everything that can be wrong with a feed. */
const all: DigestFacts = {
  feed: 'museum',
  isTable: true,
  readAt: Date.parse('2027-03-01T13:05:00Z'),
  read: 1_234,
  rejected: mistakes.map((mistake, place) => ({
    ...{ id: mistake, at: `line ${place + 2}`, title: 'Old Maps', mistake, columns: ['when'], value: 'x <y>' },
    ...(mistake === 'alt' && { toFill: ['caption'] }),
    ...(mistake === 'date' && { example: '12/31/2027' }),
    limit: 40,
    fields: { title: 'Old Maps', when: '=1+1' },
  })),
  cancelled: [{ id: 'c', at: '$.items[4]', title: 'Concert' }],
  files: files.map((mistake) => ({
    id: mistake,
    at: 'line 9',
    title: 'Ships, 2027-03-12 18:30',
    columns: ['image'],
    mistake,
  })),
  unread: { id: 'u', since: Date.parse('2027-02-27T13:05:00Z'), mistake: 'refused', isPartly: false },
  empty: { id: 'e', at: 0 },
  over: { id: 'o', day: '2027-02-20' },
  waiting: 3,
  isUnsettled: true,
};
const owner = { email: 'rosa@example.org', name: 'Rosa', every: 1, linkDays: 30 };
const link = { to: 'https://feeds.example.edu/owners/museum/x', until: Date.parse('2027-03-31T13:05:00Z') };
const options = { timezone: 'Europe/Berlin', reported: new Set(['date', 'u']), link };

describe.each(['en', 'de', 'fr', 'es'])('A digest in %s', (language) => {
  const digest = digestOf(all, { ...owner, language }, options);

  test('reads like this', async () => {
    const text = digestText(digest);
    const { feeds, subjects, nothing, unsettled, well, test: arrives } = digestTexts(language);
    const { unread, empty, rejected, cancelled, files: ofFiles, over, well: again, test: ofTest } = subjects;
    const titles = [unread, empty, cancelled, ofFiles, over, again, ofTest].map((title) => title('“museum”'));
    const others = [
      ...titles,
      rejected('“museum”', '2', false),
      nothing,
      unsettled,
      well,
      arrives,
      ...Object.values(feeds),
    ];
    const file = join(import.meta.dirname, '../../fixtures/golden/digests', `${language}.txt`);
    await expect([text, ...others].join('\n')).toMatchFileSnapshot(file);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test('says the same in HTML, with its values escaped', () => {
    const html = digestMail(digest);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).not.toContain('<y>');
    for (const block of digest.blocks) if ('text' in block) expect(html).toContain(block.text.replaceAll("'", '&#39;'));
  });

  test('has a table without formulas', () => {
    const { content } = entryTable(all, language);
    expect(content.split('\r\n')[1]).toMatch(/Old Maps[,;]'=1\+1$/);
  });
});

test.each([
  ['en', ','],
  ['en-GB', ','],
  ['es-MX', ','],
  ['de', ';'],
  ['de_CH', ';'],
  ['fr', ';'],
  ['es', ';'],
  ['de-latn-xx', ';'],
])('The table in %s has columns between %s', (language, separator) => {
  const [heads = '', row = ''] = entryTable(all, language).content.split('\r\n');
  expect(heads.split(separator)).toHaveLength(6);
  expect(row).toContain(`Old Maps${separator}'=1+1`);
});

test.each([
  ['de-CH', 'de'],
  ['FR_ca', 'fr'],
  ['it', 'en'],
])('The language %s is written in %s', (language, written) => {
  expect(feedPage(all, { ...owner, language }, 'UTC').language).toBe(written);
});

test('Entries of which the same is to be said are one item, and the page lists all', () => {
  const [first] = all.rejected;
  const rejected = Array.from({ length: 50 }, (_, place) => {
    return {
      ...(first as RejectedEntry),
      id: `${place}`,
      at: `line ${place + 2}`,
      value: place < 25 ? 'soon' : `${place}`,
    };
  });
  const facts = { ...all, rejected };
  const lists = ({ blocks }: Digest) => blocks.flatMap((block) => (block.is === 'list' ? [block.items] : []));
  const [ofMail] = lists(digestOf(facts, { ...owner, language: 'en' }, options));
  expect(ofMail?.[0]?.lead).toMatch(/^line 2: Old Maps; line 3: .*; line 21: Old Maps; … and 5 more$/);
  expect(ofMail?.[1]).toEqual({
    lead: 'line 27: Old Maps',
    lines: [
      '“25” in the column “when” is not a valid date or time.',
      'Correct it, and write it in the same way as here: 12/31/2027.',
    ],
  });
  const [ofPage] = lists(feedPage(facts, { ...owner, language: 'en' }, 'UTC'));
  expect(ofPage).toHaveLength(26);
  expect(ofPage?.[0]?.lead).toContain('line 26: Old Maps');
});

const talks = (map: object) => eventSync({ map: { title: { field: 'name' }, ...map } });

test.each([
  ['date: "13/04/2027" is not a date', 'FF_RECORD_DATE', 'MM/dd/yyyy', { mistake: 'date', example: '12/31/2027' }],
  [
    'date: "13/04/2027" is not a date',
    'FF_RECORD_DATE',
    'd. MMMM yyyy',
    { mistake: 'date', example: '31. December 2027' },
  ],
  ['date: "46000" is not a date', 'FF_RECORD_DATE', undefined, { mistake: 'date', example: '2027-12-31' }],
  ['date: "01/01/1970" is no real day: it is', 'FF_RECORD_DATE', 'MM/dd/yyyy', { mistake: 'noDay' }],
  [
    'date: has no value; every event needs one',
    'FF_RECORD_REQUIRED',
    undefined,
    { mistake: 'missing', columns: ['when'] },
  ],
] as const)('%s: %s with %s', (reason, code, format, found) => {
  const date = { field: 'when', ...(format && { format: [format] }) };
  expect(ownersMistake({ code, reason }, talks({ date }))).toMatchObject(found);
});

test.each([
  ['d.M.', '2027-09', '31.12.'],
  ['h:mm a', undefined, '6:30 PM'],
  ["EEEE, d MMM yy 'at' HH:mm", undefined, 'Friday, 31 Dec 27 at 18:30'],
  ['unix', undefined, undefined],
])('An example in the format %s', (format, year, example) => expect(dateExample(format, 'en', year)).toBe(example));

test('A missing day is in the column of the start, if that gives it', () => {
  const found = ownersMistake(
    { code: 'FF_RECORD_REQUIRED', reason: 'date: has no value; every event needs one' },
    talks({ start: { field: 'begins' } }),
  );
  expect(found?.columns).toEqual(['begins']);
});

test('One entry is not "1 entries"', () => {
  const one = { ...all, rejected: all.rejected.slice(0, 1), unread: undefined as never, empty: undefined as never };
  const { unread: _, empty: __, ...facts } = one;
  for (const language of ['en', 'de', 'fr', 'es']) {
    const { title } = digestOf(facts, { ...owner, language }, options);
    expect(title).toMatch(/^(An entry|Ein Eintrag|Un élément|Un elemento) /);
  }
});
