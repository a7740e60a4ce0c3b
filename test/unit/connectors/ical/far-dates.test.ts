import { expect, test } from 'vitest';
import { ical } from '../../../../connectors/ical/ical.ts';
import { calendar, event } from '../ical-lines.ts';
import { readFeed } from '../read-feed.ts';

const window = { from: '2024-01-01', to: '2024-12-31' };

/** The start and end of each record, and all problems. */
async function timesOf(lines: string[], options = {}) {
  const { records, rejections, incomplete } = await readFeed(ical, calendar(...lines), { window, ...options });
  return { times: records.map(({ fields }) => [fields.start, fields.end]), problems: [...rejections, ...incomplete] };
}

// As Outlook writes it.
const outlookZone = [
  'BEGIN:VTIMEZONE',
  'TZID:Customized Time Zone',
  ...['BEGIN:STANDARD', 'DTSTART:16010101T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100'],
  ...['RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10', 'END:STANDARD'],
  ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200'],
  ...['RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT'],
  'END:VTIMEZONE',
];

test.each([
  ['20240115T100000', '2024-01-15T10:00:00+01:00[+01:00]'],
  ['20240715T100000', '2024-07-15T10:00:00+02:00[+02:00]'],
])('A VTIMEZONE with rules from 1601 has the right offset at %s', async (start, expected) => {
  const { times } = await timesOf([...outlookZone, ...event('UID:x', `DTSTART;TZID=Customized Time Zone:${start}`)]);
  expect(times).toEqual([[expected, expected]]);
});

test('A series that began in 1756 has its occurrence of this year', async () => {
  const lines = event('UID:x', 'DTSTART;VALUE=DATE:17560127', 'RRULE:FREQ=YEARLY');
  expect(await timesOf(lines)).toEqual({ times: [['2024-01-27', '2024-01-27']], problems: [] });
});

test('UNTIL in the year 9999 means that a series has no end', async () => {
  const lines = event('UID:x', 'DTSTART;VALUE=DATE:20200127', 'RRULE:FREQ=YEARLY;UNTIL=99991231');
  expect(await timesOf(lines)).toEqual({ times: [['2024-01-27', '2024-01-27']], problems: [] });
});

test('An event may last until the end of the year 9999', async () => {
  const lines = event('UID:x', 'DTSTART:20240101T000000Z', 'DTEND:99991231T235959Z');
  const { times, problems } = await timesOf(lines);
  expect(times).toEqual([['2024-01-01T00:00:00+00:00[UTC]', '9999-12-31T23:59:59+00:00[UTC]']]);
  expect(problems).toEqual([]);
});

test('A whole day may be the last of the year 9999', async () => {
  for (const end of [[], ['DURATION:P1D']]) {
    const lines = event('UID:x', 'DTSTART;VALUE=DATE:99991231', ...end);
    expect(await timesOf(lines, { window: {} })).toEqual({ times: [['9999-12-31', '9999-12-31']], problems: [] });
  }
});

test.each([
  ['UTC', '9999-12-31T23:59:59+00:00[UTC]'],
  ['Europe/Berlin', '9999-12-31T22:59:59+00:00[UTC]'],
  ['America/New_York', '9999-12-31T23:59:59+00:00[UTC]'],
])('An event does not last beyond the year 9999 on the clocks of the site: %s', async (siteTimezone, end) => {
  const lines = event('UID:x', 'DTSTART:20240101T120000Z', 'DTEND:99991231T235959Z');
  expect((await timesOf(lines, { siteTimezone })).times[0]?.[1]).toBe(end);
});

test.each(['DTSTART:100000101T000000Z', 'DTSTART;VALUE=DATE:123450101'])(
  'A year of five digits is rejected: %s',
  async (start) => {
    const { times, problems } = await timesOf(event('UID:x', start), { window: {} });
    expect(times).toEqual([]);
    expect(problems).toMatchObject([{ code: 'FF_RECORD_DATE' }]);
  },
);

test('A series of days goes on to the end of the year 9999', async () => {
  const lines = event('UID:x', 'DTSTART;VALUE=DATE:99991229', 'RRULE:FREQ=DAILY;COUNT=9');
  const days = ['29', '30', '31'].map((day) => `9999-12-${day}`);
  expect(await timesOf(lines, { window: {} })).toEqual({ times: days.map((day) => [day, day]), problems: [] });
});

test('An empty RRULE is a single event, and UNTIL may be a day with a Z', async () => {
  const empty = event('UID:x', 'DTSTART;VALUE=DATE:20240701', 'RRULE:');
  const day = event('UID:y', 'DTSTART;VALUE=DATE:20240702', 'RRULE:FREQ=DAILY;UNTIL=20240703Z');
  const days = ['2024-07-01', '2024-07-02', '2024-07-03'];
  expect(await timesOf([...empty, ...day])).toEqual({ times: days.map((one) => [one, one]), problems: [] });
});

test('DTSTART is an occurrence, also if its rule does not have it, beside the dates that COUNT counts', async () => {
  // Good Friday, from a calendar of holidays.
  const rule = 'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1FR;COUNT=2';
  const lines = event('UID:x', 'DTSTART;VALUE=DATE:20240329', rule);
  const [first, second, third] = ['2024-03-29', '2024-04-05', '2025-04-04'].map((day) => [day, day]);
  const wide = { window: { from: '2024-01-01', to: '2030-12-31' } };
  const left = { options: { recurrence: { startOffRule: 'leave' } } };
  expect((await timesOf(lines, wide)).times).toEqual([first, second, third]);
  expect((await timesOf(lines, { ...wide, ...left })).times).toEqual([second, third]);
  const excepted = lines.toSpliced(2, 0, 'EXDATE;VALUE=DATE:20240329');
  expect((await timesOf(excepted, wide)).times).toEqual([second, third]);
});
