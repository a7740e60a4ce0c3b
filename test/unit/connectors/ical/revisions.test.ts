import { expect, test } from 'vitest';
import { calendar, event } from '../ical-lines.ts';
import { readLines } from './read-lines.ts';

const start = 'DTSTART:20260302T190000Z';
const old = (...lines: string[]) => event('UID:x', start, 'SUMMARY:old', ...lines);
const later = (...lines: string[]) => event('UID:x', 'DTSTART:20260302T200000Z', 'SUMMARY:new', ...lines);
const titlesOf = async (...events: string[][]) => (await readLines(events.flat())).fields.map(({ summary }) => summary);

const [january, february] = ['DTSTAMP:20260101T000000Z', 'DTSTAMP:20260201T000000Z'];

test.each([
  ['the highest SEQUENCE', ['SEQUENCE:1', february], ['SEQUENCE:2', january]],
  ['the latest DTSTAMP of equal SEQUENCE', ['SEQUENCE:1', january], ['SEQUENCE:1', february]],
  ['the latest DTSTAMP without SEQUENCE', [january], [february]],
  ['the latest DTSTAMP if one has SEQUENCE:0', [january, 'SEQUENCE:0'], [february]],
  ['a DTSTAMP some minutes later', ['DTSTAMP:20260101T000000Z'], ['DTSTAMP:20260101T000141Z']],
  [
    'the latest LAST-MODIFIED of equal DTSTAMP',
    [january, 'LAST-MODIFIED:20251201T000000Z'],
    [january, 'LAST-MODIFIED:20251224T000000Z'],
  ],
  ['the latest LAST-MODIFIED alone', ['LAST-MODIFIED:20251201T000000Z'], ['LAST-MODIFIED:20251224T000000Z']],
])('Of two revisions, %s counts, in any order, and the other one is reported', async (_, first, second) => {
  expect(await titlesOf(old(...first), later(...second))).toEqual(['new']);
  expect(await titlesOf(later(...second), old(...first))).toEqual(['new']);
  const { fields, warnings } = await readLines([...old(...first), ...later(...second)]);
  expect(fields.map(({ uid }) => uid)).toEqual(['x']);
  expect(warnings).toEqual([
    expect.stringMatching(/^replaced by a later revision \((SEQUENCE|DTSTAMP|LAST-MODIFIED) \S+\)$/),
  ]);
});

test.each([
  ['no stamps', [], []],
  ['equal stamps', [january], [january]],
  ['stamps of one export', ['DTSTAMP:20260101T000000Z'], ['DTSTAMP:20260101T000003Z']],
  ['one stamp', [january], []],
  ['unreadable stamps', ['DTSTAMP:yesterday'], ['DTSTAMP:today']],
])('Two events with one UID and %s are both kept', async (_, first, second) => {
  const { fields, warnings } = await readLines([...old(...first), ...later(...second)]);
  expect(fields.map(({ summary }) => summary)).toEqual(['old', 'new']);
  expect(fields.map(({ uid }) => uid)).toEqual(['x/20260302T190000Z', 'x/20260302T200000Z']);
  expect(warnings).toEqual([expect.stringMatching(/^2 events have the UID "x"/)]);
});

const named = (title: string, time: string, ...lines: string[]) => {
  return event('UID:x', `DTSTART${time}`, `SUMMARY:${title}`, ...lines);
};
const hash = expect.stringMatching(/^x\/20260302T190000Z#[\da-f]{12}$/);

test.each<[string, string[][], unknown[]]>([
  ['one that is alone', [named('A', ':20260302T190000Z')], ['x']],
  [
    'one of whole days',
    [named('A', ';VALUE=DATE:20260302'), named('B', ':20260309T190000Z')],
    ['x/20260302', 'x/20260309T190000Z'],
  ],
  [
    'floating times and those of a zone',
    [named('A', ':20260302T190000'), named('B', ';TZID=Europe/Berlin:20260702T190000')],
    ['x/20260302T190000', 'x/20260702T170000Z'],
  ],
  ['two that start together', [named('A', ':20260302T190000Z'), named('B', ':20260302T190000Z')], [hash, hash]],
  ['the same one twice', [named('A', ':20260302T190000Z'), named('A', ':20260302T190000Z')], ['x']],
  [
    'a changed instance without its series',
    [named('A', ':20260302T190000Z'), named('B', ':20260309T200000Z', 'RECURRENCE-ID:20260309T190000Z')],
    ['x/20260302T190000Z', 'x/20260309T190000Z'],
  ],
  [
    'one that a changed instance replaces',
    [
      ...[named('A', ':20260302T190000Z'), named('B', ':20260309T190000Z')],
      named('C', ':20260309T200000Z', 'RECURRENCE-ID:20260309T190000Z'),
    ],
    ['x/20260302T190000Z', 'x/20260309T190000Z'],
  ],
  [
    'one whose day a changed instance names',
    [
      ...[named('A', ':20260302T190000Z'), named('B', ':20260309T190000Z')],
      named('C', ':20260309T200000Z', 'RECURRENCE-ID;VALUE=DATE:20260309'),
    ],
    ['x/20260302T190000Z', 'x/20260309'],
  ],
  [
    'two changed instances with one RECURRENCE-ID',
    ['A', 'B'].map((title) => named(title, ':20260302T200000Z', 'RECURRENCE-ID:20260302T190000Z')),
    [hash, hash],
  ],
  [
    'a series, and one on its second date',
    [named('A', ':20260301T190000Z', 'RRULE:FREQ=DAILY;COUNT=3'), named('B', ':20260302T190000Z')],
    ['x/20260301T190000Z', hash, hash, 'x/20260303T190000Z'],
  ],
  [
    'parts of a series that look the same on a day',
    [
      named('A', ':20260301T190000Z', 'RRULE:FREQ=DAILY;COUNT=2'),
      named('A', ':20260302T190000Z', 'RRULE:FREQ=DAILY;COUNT=2'),
    ],
    ['x/20260301T190000Z', 'x/20260302T190000Z', 'x/20260303T190000Z'],
  ],
])('Keys of events with one UID: %s', async (_, events, keys) => {
  for (const all of [events, events.toReversed()]) {
    const { fields, warnings } = await readLines(all.flat());
    expect(fields.map(({ uid }) => uid).toSorted()).toEqual(keys);
    expect(new Set(fields.map(({ uid }) => uid)).size).toBe(fields.length);
    expect(new Set(fields.map(({ series }) => series))).toEqual(new Set(['x']));
    expect(warnings.filter((text) => text.includes('the UID')).length).toBeLessThanOrEqual(1);
  }
});

test('If one of several events with a UID cannot be read, its key is unknown', async () => {
  const { fields, rejections } = await readLines([
    ...named('A', ':20260302T190000Z'),
    ...named('B', ':20260230T190000Z'),
  ]);
  expect(fields).toHaveLength(1);
  expect(rejections).toEqual([expect.objectContaining({ key: undefined, fields: { uid: 'x', summary: 'B' } })]);
});

test('A revision counts for a whole series, and for a changed instance', async () => {
  const rule = 'RRULE:FREQ=DAILY;COUNT=2';
  const instance = 'RECURRENCE-ID:20260303T190000Z';
  const series = event('UID:x', start, 'SUMMARY:series', rule);
  expect(await titlesOf(old(rule, january), event('UID:x', start, 'SUMMARY:new', rule, february))).toEqual([
    'new',
    'new',
  ]);
  expect(await titlesOf(series, old(instance, january), later(instance, february))).toEqual(['series', 'new']);
  expect(await titlesOf(series, later(instance, february), old(instance, january))).toEqual(['series', 'new']);
});

test.each([
  ['of a later revision', 'SEQUENCE:1'],
  ['of a later stamp', february],
  ['without any number', 'STATUS:CANCELLED'],
])('A cancellation %s cancels the event', async (_, line) => {
  const cancelled = event(
    'UID:x',
    start,
    'SUMMARY:old',
    'STATUS:CANCELLED',
    ...(line.startsWith('STATUS') ? [] : [line]),
  );
  const first = old(...(line === february ? [january] : []));
  for (const events of [
    [first, cancelled],
    [cancelled, first],
  ]) {
    expect(await titlesOf(...events)).toEqual([]);
  }
});

test('A cancellation that is older than the event does not cancel it', async () => {
  expect(await titlesOf(old('STATUS:CANCELLED', january), later(february))).toEqual(['new']);
});

test('METHOD:CANCEL in another calendar of the feed cancels the event', async () => {
  const cancel = calendar('METHOD:CANCEL', ...old('SEQUENCE:1'))
    .split('\r\n')
    .slice(0, -2);
  const { fields } = await readLines([...old('SEQUENCE:0'), 'END:VCALENDAR', ...cancel]);
  expect(fields).toEqual([]);
});
