import { describe, expect, test } from 'vitest';
import { ical } from '../../../../connectors/ical/ical.ts';
import { calendar, event } from '../ical-lines.ts';
import { readFeed } from '../read-feed.ts';

const WEEKLY = ['DTSTART:20310301T190000', 'RRULE:FREQ=WEEKLY;COUNT=3'];

/** The keys of the records, with "-" for those that are withdrawn. */
async function keysOf(lines: string[], includesWithdrawn: boolean): Promise<string[]> {
  const { records } = await readFeed(ical, calendar(...lines), { includesWithdrawn });
  return records.map(({ fields, withdrawn }) => `${withdrawn ? '-' : ''}${fields.uid}`).sort();
}

describe('Events that their calendar has withdrawn', () => {
  test.each<[string, string[], string[], string[]]>([
    ['cancelled', event('UID:a', 'DTSTART:20310301T190000', 'SUMMARY:A', 'STATUS:CANCELLED'), ['-a'], []],
    ['private', event('UID:a', 'DTSTART:20310301T190000', 'SUMMARY:A', 'CLASS:PRIVATE'), ['-a'], []],
    ['published', event('UID:a', 'DTSTART:20310301T190000', 'SUMMARY:A'), ['a'], ['a']],
    [
      'a cancelled series',
      event('UID:a', ...WEEKLY, 'SUMMARY:A', 'STATUS:CANCELLED'),
      ['-a/20310301T190000', '-a/20310308T190000', '-a/20310315T190000'],
      [],
    ],
    [
      'a cancelled and a private occurrence',
      [
        ...event('UID:a', ...WEEKLY, 'SUMMARY:A'),
        ...event('UID:a', 'RECURRENCE-ID:20310308T190000', 'DTSTART:20310308T190000', 'STATUS:CANCELLED'),
        ...event('UID:a', 'RECURRENCE-ID:20310315T190000', 'DTSTART:20310315T190000', 'CLASS:PRIVATE'),
      ],
      ['-a/20310308T190000', '-a/20310315T190000', 'a/20310301T190000'],
      ['a/20310301T190000'],
    ],
    [
      'an occurrence that cannot be read',
      [
        ...event('UID:a', ...WEEKLY, 'SUMMARY:A'),
        ...event('UID:a', 'RECURRENCE-ID:20310308T190000', 'DTSTART:nonsense', 'SUMMARY:B'),
      ],
      ['a/20310301T190000', 'a/20310315T190000'],
      ['a/20310301T190000', 'a/20310315T190000'],
    ],
  ])('%s', async (_, lines, all, published) => {
    expect(await keysOf(lines, true)).toEqual(all);
    expect(await keysOf(lines, false)).toEqual(published);
  });
});
