import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRule, type RuleContext } from '../../../../connectors/ical/rules/rule.ts';
import { rounds } from '../../../support/long.ts';
import { bruteForce } from './brute-force.ts';
import { type Frequency, ruleOf, startTimes } from './random-rules.ts';

const YEARS = 6;

const contextOf = (start: string, more: Partial<RuleContext> = {}): RuleContext => ({
  start: Date.parse(`${start}Z`),
  isDate: false,
  budget: { left: 1_000_000 },
  wallTimeOfUtc: (instant) => instant,
  ...more,
});

const iso = (wall: number) => new Date(wall).toISOString().slice(0, 19);

const between = (rule: string, start: string, from: string, to: string, more: Partial<RuleContext> = {}) =>
  [...parseRule(rule, contextOf(start, more)).between(Date.parse(`${from}Z`), Date.parse(`${to}Z`))].map(iso);

/** The days of a rule in the years after a start in 2020. */
const daysOf = (rule: string, start: string, years = 3) =>
  between(rule, `${start}T00:00:00`, `${start}T00:00:00`, `${Number(start.slice(0, 4)) + years}-12-31T00:00:00`).map(
    (time) => time.slice(0, 10),
  );

test.each<Frequency>(['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY'])(
  'Random %s rules have the dates that a look at every day finds, in any window',
  (freq) => {
    const window = fc.tuple(fc.integer({ min: -1, max: YEARS - 1 }), fc.integer({ min: 0, max: YEARS }));
    fc.assert(
      fc.property(ruleOf(freq), startTimes, window, (rule, start, [offset, length]) => {
        const year = Number(start.slice(0, 4));
        const [from, to] = [year + offset, Math.min(year + offset + length, year + YEARS)];
        const all = bruteForce(rule, start, `${year + YEARS}-01-01`).map(iso);
        const expected = all.filter((time) => time >= `${from}-01-01` && time < `${to}-01-01`);
        expect(between(rule, start, `${from}-01-01T00:00:00`, `${to - 1}-12-31T23:59:59`)).toEqual(expected);
      }),
      { numRuns: rounds(12, 1000) },
    );
  },
);

describe('YEARLY rules', () => {
  test.each([
    [
      'the 53rd Sunday of a year',
      'FREQ=YEARLY;BYDAY=53SU',
      '2012-01-01',
      12,
      ['2012-12-30', '2017-12-31', '2023-12-31'],
    ],
    [
      'the second Tuesday and all Fridays',
      'FREQ=YEARLY;BYDAY=2TU,FR;COUNT=3',
      '2020-01-01',
      1,
      ['2020-01-03', '2020-01-10', '2020-01-14'],
    ],
    [
      'day 60 if it is the first of a month',
      'FREQ=YEARLY;BYYEARDAY=60;BYMONTHDAY=1',
      '2020-01-01',
      2,
      ['2021-03-01', '2022-03-01'],
    ],
    [
      'the first Sunday by position',
      'FREQ=YEARLY;BYDAY=SU;BYYEARDAY=1,2,3,4,5,6,7;BYSETPOS=1',
      '2020-01-01',
      1,
      ['2020-01-05', '2021-01-03'],
    ],
    [
      'a week in a month, on the weekday of DTSTART',
      'FREQ=YEARLY;BYMONTH=2;BYWEEKNO=9',
      '2020-01-08',
      2,
      ['2020-02-26'],
    ],
    ['month 13, which does not exist', 'FREQ=YEARLY;BYMONTH=13', '2020-01-01', 5, []],
    [
      'a position among the days of weeks',
      'FREQ=YEARLY;BYWEEKNO=20;BYMONTHDAY=12,13,14;BYSETPOS=-1',
      '2020-01-01',
      1,
      ['2020-05-14'],
    ],
  ])('have %s', (_, rule, start, years, expected) => {
    expect(daysOf(rule, start, years)).toEqual(expected);
  });
});

test('RSCALE and SKIP may have their usual values', () => {
  const dates = daysOf('RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=OMIT;BYMONTHDAY=31', '2021-01-01', 0);
  expect(dates.slice(0, 2)).toEqual(['2021-01-31', '2021-03-31']);
});

test.each([
  'RSCALE=CHINESE;FREQ=YEARLY',
  'RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L',
  'SKIP=FORWARD;FREQ=MONTHLY;BYMONTHDAY=31',
])('A rule of another calendar is rejected with a reason: %s', (rule) => {
  const reason = /is invalid: (RSCALE|SKIP)=\w+ counts in another calendar .*not supported. List the dates with RDATE/;
  expect(() => daysOf(rule, '2021-01-01', 0)).toThrow(reason);
});

describe('A rule of 1601 or earlier', () => {
  test.each([
    ['FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', '1601-01-01T02:00:00', ['2024-03-31T02:00:00']],
    ['FREQ=YEARLY', '0050-07-04T00:00:00', ['2024-07-04T00:00:00']],
    ['FREQ=MINUTELY;INTERVAL=525600', '2020-01-01T00:00:00', ['2024-12-30T00:00:00']],
    // 1,000,000 days after 1601-01-01.
    ['FREQ=DAILY;COUNT=154600', '1601-01-01T00:00:00', ['2024-04-11T00:00:00', '2024-04-12T00:00:00']],
  ])('has its dates in any later year, at the cost of a new one: %s', (rule, start, expected) => {
    const budget = { left: 2000 };
    expect(between(rule, start, '2024-01-01T00:00:00', '2024-12-31T23:59:59', { budget }).slice(-2)).toEqual(expected);
  });
});

test('COUNT is skipped by arithmetic: it costs the same wherever the window is', () => {
  const regular = fc.constantFrom(
    'DAILY',
    'WEEKLY;BYDAY=MO,TH',
    'WEEKLY;BYDAY=SU,WE;WKST=SU;INTERVAL=2',
    'HOURLY;INTERVAL=7',
    'DAILY;BYHOUR=8,20',
  );
  fc.assert(
    fc.property(
      regular,
      startTimes,
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 0, max: 500 }),
      (rule, start, count, later) => {
        const all = `FREQ=${rule};COUNT=${count}`;
        const from = iso(Date.parse(`${start}Z`) + later * 86_400_000);
        const expected = between(all, start, start, '2030-01-01T00:00:00').filter((time) => time >= from);
        const budget = { left: expected.length * 3 + 50 };
        expect(between(all, start, from, '2030-01-01T00:00:00', { budget })).toEqual(expected);
      },
    ),
  );
});

test('Rules that would cost too much end with an error', () => {
  const rule = 'FREQ=SECONDLY;BYSECOND=1;BYMINUTE=1;BYHOUR=1;BYMONTH=2;BYMONTHDAY=30;COUNT=1';
  const budget = { left: 1000 };
  expect(() => between(rule, '2024-01-01T00:00:00', '2024-01-01T00:00:00', '9000-01-01T00:00:00', { budget })).toThrow(
    /too many/,
  );
});

test.each([
  ['99991231', '2025-01-01T00:00:00'],
  ['99991231T235959Z', '2025-01-01T00:00:00'],
  ['20240103Z', '2024-01-03T00:00:00'],
])('UNTIL=%s is read', (until, last) => {
  const dates = between(
    `FREQ=DAILY;UNTIL=${until}`,
    '2024-01-01T00:00:00',
    '2024-01-01T00:00:00',
    '2025-01-01T00:00:00',
  );
  expect(dates.at(-1)).toBe(last);
});
