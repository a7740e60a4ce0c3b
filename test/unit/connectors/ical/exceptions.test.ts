import { describe, expect, test } from 'vitest';
import { ical } from '../../../../connectors/ical/ical.ts';
import { calendar, event } from '../ical-lines.ts';
import { readFeed } from '../read-feed.ts';
import { readLines } from './read-lines.ts';

const zone = 'TZID=America/New_York';
/** 2:30 does not exist on 8 March, and 1:30 occurs twice on 1 November. */
const spring = [`DTSTART;${zone}:20260307T023000`, 'RRULE:FREQ=DAILY;COUNT=3'];
const autumn = [`DTSTART;${zone}:20261031T013000`, 'RRULE:FREQ=DAILY;COUNT=3'];
const floating = ['DTSTART:20260307T023000', 'RRULE:FREQ=DAILY;COUNT=3'];

const inGap: Array<[string, string[], string]> = [
  ['in UTC', spring, ':20260308T073000Z'],
  ['in its zone', spring, `;${zone}:20260308T023000`],
  ['in its zone, as clocks show it', spring, `;${zone}:20260308T033000`],
  ['in another zone', spring, ';TZID=Europe/Berlin:20260308T083000'],
  ['floating', spring, ':20260308T023000'],
  ['with an offset', spring, ':20260308T023000-0500'],
  ['as a day', spring, ';VALUE=DATE:20260308'],
  ['floating in a floating series', floating, ':20260308T023000'],
  ['in UTC in a floating series', floating, ':20260308T073000Z'],
];
const inFold: Array<[string, string[], string]> = [
  ['in UTC', autumn, ':20261101T053000Z'],
  ['in UTC, the second time', autumn, ':20261101T063000Z'],
  ['in its zone', autumn, `;${zone}:20261101T013000`],
  ['floating', autumn, ':20261101T013000'],
];

describe.each([
  ['the gap of spring', inGap],
  ['the repeated hour of autumn', inFold],
])('An occurrence in %s', (_, cases) => {
  test.each(cases)('is removed by an EXDATE %s', async (__, series, value) => {
    const { fields } = await readLines(event('UID:x', ...series, `EXDATE${value}`));
    expect(fields).toHaveLength(2);
  });

  test.each(cases)('is replaced by a RECURRENCE-ID %s', async (__, series, value) => {
    const unchanged = await readLines(event('UID:x', ...series));
    const changed = event('UID:x', `RECURRENCE-ID${value}`, 'DTSTART:20260701T100000Z', 'SUMMARY:changed');
    const { fields } = await readLines([...event('UID:x', ...series), ...changed]);
    expect(fields.map(({ uid }) => uid)).toEqual(unchanged.fields.map(({ uid }) => uid));
    expect(fields.map(({ summary }) => summary)).toEqual([undefined, 'changed', undefined]);
  });
});

test('A day that begins in a gap names the occurrence on it', async () => {
  // In Beirut, clocks go from 00:00 to 01:00 on 29 March.
  const series = event('UID:x', 'DTSTART;TZID=Asia/Beirut:20260328T190000', 'RRULE:FREQ=DAILY;COUNT=2');
  const changed = event('UID:x', 'RECURRENCE-ID;VALUE=DATE:20260329', 'DTSTART:20260329T180000Z', 'SUMMARY:changed');
  expect((await readLines([...series, ...changed])).fields).toMatchObject([{}, { summary: 'changed' }]);
});

test('A change of all later occurrences may begin in the gap of spring', async () => {
  const later = event('UID:x', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20260308T073000Z', `DTSTART;${zone}:20260308T120000`);
  const { fields } = await readLines([...event('UID:x', ...spring), ...later]);
  expect(fields.map(({ start }) => String(start).slice(0, 16))).toEqual([
    '2026-03-07T02:30',
    '2026-03-08T12:00',
    '2026-03-09T12:00',
  ]);
});

describe('A series is not published if its UNTIL is before its first date', () => {
  test.each([
    ['a day', 'DTSTART;VALUE=DATE:20261002', 'FREQ=WEEKLY;UNTIL=20260925'],
    ['UTC for a day', 'DTSTART;VALUE=DATE:20261002', 'FREQ=WEEKLY;UNTIL=20260925T000000Z'],
    ['UTC', `DTSTART;${zone}:20261002T100000`, 'FREQ=WEEKLY;UNTIL=20261002T135959Z'],
    ['a time', 'DTSTART:20261002T100000', 'FREQ=WEEKLY;UNTIL=20261002T095959'],
    ['a day before a time', `DTSTART;${zone}:20261002T100000`, 'FREQ=WEEKLY;UNTIL=20261001'],
    ['beside COUNT', 'DTSTART;VALUE=DATE:20261002', 'FREQ=WEEKLY;UNTIL=20260925;COUNT=5'],
    ['a Sunday, though the rule has Mondays', 'DTSTART;VALUE=DATE:20231001', 'FREQ=WEEKLY;UNTIL=20231001;BYDAY=MO'],
  ])('%s', async (_, start, rule) => {
    const { fields, rejections, incomplete, warnings } = await readLines(event('UID:x', start, `RRULE:${rule}`));
    expect([...fields, ...rejections, ...incomplete]).toEqual([]);
    expect(warnings).toEqual(['the series is not published: its UNTIL is before its first date']);
  });

  test('but is if UNTIL is its first date', async () => {
    const { fields } = await readLines(
      event('UID:x', 'DTSTART:20261002T100000Z', 'RRULE:FREQ=DAILY;UNTIL=20261002T100000Z'),
    );
    expect(fields).toHaveLength(1);
  });

  test('and its RDATEs are published all the same', async () => {
    const rule = 'RRULE:FREQ=DAILY;UNTIL=20260101T000000Z';
    const { fields } = await readLines(event('UID:x', 'DTSTART:20261002T100000Z', rule, 'RDATE:20261005T100000Z'));
    expect(fields.map(({ uid }) => uid)).toEqual(['x/20261005T100000Z']);
  });
});

test.each([
  ['the end of a day in New York', '20261004T035959Z', 3],
  ['the end of a day in Hawaii', '20261004T095959Z', 3],
  ['the end of a day in Berlin', '20261003T215959Z', 3],
  ['midnight in UTC', '20261004T000000Z', 4],
  ['a day', '20261003', 3],
])('An UNTIL of a whole-day series may be %s', async (_, until, days) => {
  const { fields } = await readLines(event('UID:x', 'DTSTART;VALUE=DATE:20261001', `RRULE:FREQ=DAILY;UNTIL=${until}`));
  expect(fields).toHaveLength(days);
});

test.each(['\0\0\0', '\x1a', ' \0'])('Padding after the end of a calendar, %j, is harmless', async (padding) => {
  const text = `${calendar(...event('UID:x', 'DTSTART:20261002T100000Z'))}${padding}`;
  const { records, incomplete } = await readFeed(ical, text);
  expect([records.length, incomplete]).toEqual([1, []]);
});

test('A series of which all dates are excepted is not published, with a warning', async () => {
  const lines = ['DTSTART:20261002T100000Z', 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:20261002T100000Z,20261003T100000Z'];
  const { fields, warnings } = await readLines(event('UID:x', ...lines));
  expect(fields).toEqual([]);
  expect(warnings).toEqual(['the series has no occurrences']);
});

test('COUNT=0 rejects the event, because programs read it as none or as no end', async () => {
  const { fields, rejections } = await readLines(
    event('UID:x', 'DTSTART:20261002T100000Z', 'RRULE:FREQ=DAILY;COUNT=0'),
  );
  expect(fields).toEqual([]);
  expect(rejections).toMatchObject([{ code: 'FF_RECORD_MALFORMED' }]);
});

test.each([
  ['BYDAY=MO,WE,;COUNT=3', ['2026-01-05', '2026-01-07', '2026-01-12']],
  ['BYDAY=,MO,,WE;COUNT=3', ['2026-01-05', '2026-01-07', '2026-01-12']],
  ['BYDAY=;COUNT=2', ['2026-01-05', '2026-01-12']],
  ['BYDAY=,;COUNT=2', ['2026-01-05', '2026-01-12']],
  ['UNTIL=;COUNT=2;INTERVAL=;WKST=', ['2026-01-05', '2026-01-12']],
  ['COUNT=;UNTIL=20260112', ['2026-01-05', '2026-01-12']],
  [' byday = mo , we ; count = 2 ;', ['2026-01-05', '2026-01-07']],
  ['UNTIL=2026-01-12;;', ['2026-01-05', '2026-01-12']],
])('An empty part of a rule is absent: %s', async (parts, days) => {
  const { fields } = await readLines(event('UID:x', 'DTSTART;VALUE=DATE:20260105', `RRULE:FREQ=WEEKLY;${parts}`));
  expect(fields.map(({ start }) => start)).toEqual(days);
});

test.each(['FREQ=', 'FREQ=WEEKLY;FOO=', 'FREQ=WEEKLY;CONSTRUCTOR=1'])('but %s is no rule', async (rule) => {
  const { rejections } = await readLines(event('UID:x', 'DTSTART;VALUE=DATE:20260105', `RRULE:${rule}`));
  expect(rejections).toMatchObject([{ code: 'FF_RECORD_MALFORMED' }]);
});
