import { expect, test } from 'vitest';
import { parseRule } from '../../../../connectors/ical/rules/rule.ts';
import { event } from '../ical-lines.ts';
import { readLines } from './read-lines.ts';

/** The first days of a rule. */
const daysOf = (rule: string, start: string, length: number) => {
  const wall = Date.parse(`${start}T00:00:00Z`);
  const context = {
    start: wall,
    isDate: true,
    budget: { left: 8_000_000 },
    wallTimeOfUtc: (instant: number) => instant,
  };
  const days: string[] = [];
  for (const day of parseRule(rule, context).between(wall, Date.UTC(2200, 0, 1))) {
    if (days.push(new Date(day).toISOString().slice(0, 10)) === length) break;
  }
  return days;
};

test.each([
  ['Chinese New Year', 'RSCALE=CHINESE;FREQ=YEARLY', '2013-02-10', ['2014-01-31', '2015-02-19']],
  [
    'the start of Ramadan',
    'RSCALE=ISLAMIC-CIVIL;FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=1',
    '2026-02-18',
    ['2027-02-08', '2028-01-28'],
  ],
  [
    'the Ethiopian New Year',
    'RSCALE=ETHIOPIC;FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1',
    '2026-09-11',
    ['2027-09-12', '2028-09-11'],
  ],
  ['Nowruz', 'RSCALE=PERSIAN;FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1', '2026-03-21', ['2027-03-21', '2028-03-20']],
  [
    'the last day of each month',
    'RSCALE=HEBREW;FREQ=MONTHLY;BYMONTHDAY=-1',
    '2026-01-18',
    ['2026-02-17', '2026-03-18'],
  ],
  ['each third month', 'RSCALE=HEBREW;FREQ=MONTHLY;INTERVAL=3', '2026-01-19', ['2026-04-18', '2026-07-15']],
  [
    'the first Monday of each month',
    'RSCALE=INDIAN;FREQ=MONTHLY;BYDAY=1MO',
    '2026-01-26',
    ['2026-02-23', '2026-03-23'],
  ],
  [
    'the first and last day of the year',
    'RSCALE=HEBREW;FREQ=YEARLY;BYYEARDAY=1,-1',
    '2026-09-11',
    ['2026-09-12', '2027-10-01'],
  ],
  ['the first Sunday of the year', 'RSCALE=COPTIC;FREQ=YEARLY;BYDAY=1SU', '2026-09-13', ['2027-09-12', '2028-09-17']],
  [
    'the last day of a month',
    'RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=1;BYSETPOS=-1;BYDAY=SU,MO,TU,WE,TH,FR,SA',
    '2026-10-11',
    ['2027-10-31', '2028-10-20'],
  ],
  [
    'Mondays in a month',
    'RSCALE=CHINESE;FREQ=WEEKLY;BYDAY=MO;BYMONTH=1',
    '2026-02-23',
    ['2026-03-02', '2026-03-09', '2026-03-16', '2027-02-08'],
  ],
  ['days of a month', 'RSCALE=HEBREW;FREQ=DAILY;BYMONTH=7;BYMONTHDAY=1,15', '2026-03-19', ['2026-04-02', '2027-04-08']],
  ['each day', 'RSCALE=HEBREW;FREQ=DAILY', '2026-03-19', ['2026-03-20', '2026-03-21']],
])('A rule may be in another calendar: %s', (_, rule, first, more) => {
  expect(daysOf(rule, first, more.length + 1)).toEqual([first, ...more]);
});

test.each([
  ['OMIT', ['2024-02-17', '2027-02-15', '2030-02-11']],
  ['FORWARD', ['2024-02-17', '2025-03-08', '2026-02-25']],
  ['BACKWARD', ['2024-02-17', '2025-02-06', '2026-01-26']],
])('SKIP=%s decides about a leap month that a year does not have', (skip, days) => {
  expect(daysOf(`RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=${skip}`, '2024-02-17', 3)).toEqual(days);
});

test('A series in another calendar is expanded in bounded time', async () => {
  const rules = [
    'FREQ=DAILY;RSCALE=HEBREW;COUNT=9000',
    'FREQ=MONTHLY;RSCALE=INDIAN;COUNT=9000',
    'FREQ=YEARLY;RSCALE=HEBREW',
  ];
  const lines = rules.flatMap((rule, index) => event(`UID:${index}`, 'DTSTART;VALUE=DATE:20100101', `RRULE:${rule}`));
  const window = { from: '2026-01-01', to: '2026-12-31' };
  const { fields, warnings } = await readLines(lines, { window });
  const counts = rules.map((_, index) => fields.filter(({ series }) => series === String(index)).length);
  expect(counts).toEqual([365, 12, 2]);
  expect(warnings).toHaveLength(1);
});

test('A rule in another calendar that has too many years ends with a warning, and proves nothing missing', async () => {
  const lines = event('UID:x', 'DTSTART;VALUE=DATE:10000101', 'RRULE:FREQ=YEARLY;RSCALE=INDIAN;COUNT=5000');
  const { warnings, incomplete } = await readLines(lines, { window: { from: '2026-01-01', to: '2026-12-31' } });
  expect(warnings).toContainEqual(expect.stringMatching(/not expanded to its end.*too many dates/));
  expect(incomplete).toHaveLength(1);
});

test.each([
  ['RSCALE=KLINGON;FREQ=YEARLY', 'the calendar KLINGON is unknown'],
  ['RSCALE=HEBREW;FREQ=YEARLY;BYWEEKNO=3', 'BYWEEKNO has no meaning in the calendar HEBREW'],
])('The rule %s rejects the event', async (rule, reason) => {
  const { rejections } = await readLines(event('UID:x', 'DTSTART;VALUE=DATE:20260101', `RRULE:${rule}`));
  expect(rejections).toMatchObject([{ reason: expect.stringContaining(reason) }]);
});
