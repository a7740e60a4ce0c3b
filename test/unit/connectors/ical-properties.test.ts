import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { ical } from '../../../connectors/ical/ical.ts';
import { rounds } from '../../support/long.ts';
import { calendar, event } from './ical-lines.ts';
import { type ReadOptions, readFeed } from './read-feed.ts';

const zones = ['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Apia', 'Australia/Lord_Howe'];
const digits = (value: number, count = 2) => String(value).padStart(count, '0');

const day = fc
  .record({
    year: fc.integer({ min: 2024, max: 2027 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
  })
  .map(({ year, month, day: date }) => `${year}${digits(month)}${digits(date)}`);
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hour, minute]) => `T${digits(hour)}${digits(minute)}00`);
const time = fc.tuple(day, clock).map((parts) => parts.join(''));

const part = fc.oneof(
  fc.constantFrom(
    '',
    ';INTERVAL=2',
    ';COUNT=7',
    ';COUNT=400',
    ';UNTIL=20270301',
    ';UNTIL=20260301T120000Z',
    ';WKST=SU',
  ),
  fc.constantFrom(';BYDAY=MO,-1FR', ';BYDAY=SA', ';BYMONTHDAY=31', ';BYMONTHDAY=-1', ';BYMONTH=2', ';BYWEEKNO=53'),
  fc.constantFrom(';BYHOUR=2,3', ';BYMINUTE=0,30', ';BYSECOND=5', ';BYYEARDAY=366', ';BYSETPOS=-1'),
);
// Rules of less than a day mostly run into the limit on candidates, which takes half a second of CPU time: a few are enough.
const frequency = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY') },
  { weight: 1, arbitrary: fc.constantFrom('HOURLY', 'MINUTELY', 'SECONDLY') },
);
const rule = fc
  .tuple(frequency, fc.uniqueArray(part, { maxLength: 3, selector: (each) => each.split('=')[0] }))
  .map(([freq, parts]) => `RRULE:FREQ=${freq}${parts.join('')}`);

const duration = fc.constantFrom('DURATION:PT0S', 'DURATION:PT90M', 'DURATION:P3D', 'DURATION:P1DT12H');
const extras = fc.array(
  fc.oneof(
    time.map((value) => `EXDATE:${value}Z`),
    day.map((value) => `EXDATE;VALUE=DATE:${value}`),
    time.map((value) => `RDATE:${value}`),
    rule.map((value) => value.replace('RRULE', 'EXRULE')),
  ),
  { maxLength: 3 },
);
const series = fc
  .record({
    zone: fc.constantFrom(...zones),
    start: time,
    rules: fc.array(rule, { minLength: 1, maxLength: 2 }),
    duration,
    extras,
    changed: time,
  })
  .map(({ zone, start, rules, duration: length, extras: more, changed }) => [
    ...event('UID:s', `DTSTART;TZID=${zone}:${start}`, length, ...rules, ...more),
    ...event('UID:s', `RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=${zone}:${changed}`, `DTSTART:${start}Z`, length),
  ]);
const allDaySeries = fc
  .tuple(day, rule, fc.constantFrom('DURATION:P1D', 'DURATION:P4D'))
  .map(([start, each, length]) => event('UID:s', `DTSTART;VALUE=DATE:${start}`, each, length));
const window = fc.tuple(day, fc.integer({ min: 0, max: 400 })).map(([from, days]) => {
  const first = Temporal.PlainDate.from(from);
  return { from: first.toString(), to: first.add({ days }).toString() };
});

const siteDay = (text: unknown, site: string) =>
  String(text).length === 10
    ? Temporal.PlainDate.from(String(text))
    : Temporal.ZonedDateTime.from(String(text)).withTimeZone(site).toPlainDate();
const read = (lines: string[], options: ReadOptions) =>
  readFeed(ical, calendar(...lines), { ...options, options: { maxOccurrences: 50 } });

/** CPU time, because other processes may use most of the machine. */
const MOST_CPU_MICROSECONDS = 10_000_000;

test('Any series has its occurrences inside the window, under unique keys, in bounded time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(series, allDaySeries), window, fc.constantFrom(...zones), async (lines, days, site) => {
      const before = process.cpuUsage();
      const { records, error } = await read(lines, { window: days, siteTimezone: site });
      expect(process.cpuUsage(before).user).toBeLessThan(MOST_CPU_MICROSECONDS);
      expect(error).toBeUndefined();
      const keys = records.map(({ fields }) => fields.uid);
      expect(new Set(keys).size).toBe(keys.length);
      for (const { fields } of records) {
        expect(siteDay(fields.start, site).toString() <= days.to).toBe(true);
        expect(siteDay(fields.end, site).toString() >= days.from).toBe(true);
      }
    }),
    { numRuns: rounds(15, 1_500), interruptAfterTimeLimit: rounds(60_000, 600_000) },
  );
});

test('A shorter window has the same occurrences in it', async () => {
  await fc.assert(
    fc.asyncProperty(allDaySeries, window, async (lines, days) => {
      const middle = Temporal.PlainDate.from(days.from).add({ days: 20 }).toString();
      const all = await read(lines, { window: { from: days.from, to: middle } });
      const some = await read(lines, { window: { from: middle, to: middle } });
      const there = all.records.filter(({ fields }) => String(fields.start) <= middle && String(fields.end) >= middle);
      expect(some.records.map(({ fields }) => fields.uid)).toEqual(there.map(({ fields }) => fields.uid));
    }),
    { numRuns: rounds(30, 1_000) },
  );
});
