import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestOf, feedPage } from '../../../src/alerts/digests/compose.ts';
import type { DigestFacts } from '../../../src/alerts/digests/facts.ts';
import { digestMail, digestText } from '../../../src/alerts/digests/render.ts';
import { entryTable } from '../../../src/alerts/digests/table.ts';
import { digestTexts } from '../../../src/alerts/digests/texts/languages.ts';
import type { FileMistake, Mistake } from '../../../src/alerts/digests/texts/texts.ts';

const mistakes: Mistake[] = [
  ...(['date', 'missing', 'key', 'duplicate', 'lookup', 'malformed', 'email', 'web', 'yesNo', 'value'] as const),
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
    fields: { title: 'Old Maps', when: '=1+1' },
  })),
  cancelled: [{ id: 'c', at: '$.items[4]', title: 'Concert' }],
  files: files.map((mistake) => ({ id: mistake, title: 'Ships', columns: ['image'], mistake })),
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
    expect(content.split('\r\n')[1]).toMatch(/Old Maps,'=1\+1$/);
  });
});

test.each([
  ['de-CH', 'de'],
  ['FR_ca', 'fr'],
  ['it', 'en'],
])('The language %s is written in %s', (language, written) => {
  expect(feedPage(all, { ...owner, language }, 'UTC').language).toBe(written);
});

test('One entry is not "1 entries"', () => {
  const one = { ...all, rejected: all.rejected.slice(0, 1), unread: undefined as never, empty: undefined as never };
  const { unread: _, empty: __, ...facts } = one;
  for (const language of ['en', 'de', 'fr', 'es']) {
    const { title } = digestOf(facts, { ...owner, language }, options);
    expect(title).toMatch(/^(An entry|Ein Eintrag|Un élément|Un elemento) /);
  }
});
