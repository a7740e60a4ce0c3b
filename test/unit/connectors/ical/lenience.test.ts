import { afterEach, describe, expect, test } from 'vitest';
import { ical } from '../../../../connectors/ical/ical.ts';
import { calendar, event } from '../ical-lines.ts';
import { type ReadOptions, readFeed } from '../read-feed.ts';

async function read(lines: string[], options: ReadOptions = {}) {
  const { records, rejections, warnings, incomplete } = await readFeed(ical, calendar(...lines), options);
  const fields = records.map((record) => record.fields);
  return { fields, rejections, incomplete, warnings: warnings.map(({ message }) => message) };
}

const hourly = (zone: string, offset: string) => [
  'BEGIN:VTIMEZONE',
  `TZID:${zone}`,
  ...['BEGIN:STANDARD', 'DTSTART:20000101T000000', `TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`, 'END:STANDARD'],
  'END:VTIMEZONE',
];

const host = process.env.TZ;

afterEach(() => {
  if (host === undefined) delete process.env.TZ;
  else process.env.TZ = host;
});

describe.each(['Asia/Tokyo', 'America/Los_Angeles'])('On a machine in the zone %s', (zone) => {
  test.each([
    ['tzone://Microsoft/Utc', [], '2024-07-01T10:00:00+00:00[UTC]'],
    ['tzone://Microsoft/Custom', hourly('tzone://Microsoft/Custom', '+0700'), '2024-07-01T10:00:00+07:00[+07:00]'],
    ['tzone://Microsoft/Custom', [], '2024-07-01T10:00:00-04:00[America/New_York]'],
    ['(no TZ description)', [], '2024-07-01T10:00:00-04:00[America/New_York]'],
    ['W. Europe Standard Time', [], '2024-07-01T10:00:00+02:00[Europe/Berlin]'],
    ['(GMT+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', [], '2024-07-01T10:00:00+02:00[Europe/Berlin]'],
    ['(UTC+02:00) Helsinki, Kyiv, Riga', [], '2024-07-01T10:00:00+03:00[Europe/Helsinki]'],
  ])('the TZID %s means the same zone', async (tzid, definition, expected) => {
    process.env.TZ = zone;
    const { fields } = await read([...definition, ...event('UID:x', `DTSTART;TZID="${tzid}":20240701T100000`)]);
    expect(fields.map(({ start }) => start)).toEqual([expected]);
  });
});

describe('A line that cannot be read', () => {
  const times = ['UID:x', 'DTSTART:20240701T100000Z', 'SUMMARY:Talk'];

  test.each([
    ['X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="1 Main St"\\;Town;X-TITLE=Hall:geo:1,2'],
    ['X-LOTUS-CHILD_UID:59A4'],
    ['ORGANIZER;CN=Joe Jackson'],
    ['and the second line of a description that is not folded'],
  ])('is dropped with a warning if it is not needed: %s', async (line) => {
    const { fields, rejections, incomplete, warnings } = await read(event(...times, line));
    expect(fields).toMatchObject([{ uid: 'x', summary: 'Talk' }]);
    expect([...rejections, ...incomplete]).toEqual([]);
    const remedy = line.startsWith('and')
      ? '. The source must write a line break in a text as \\n, or begin the line with a blank'
      : '';
    expect(warnings).toEqual([`line 7 is not a property: ${line.slice(0, 60)}; it is ignored${remedy}`]);
  });

  test.each([
    'UID',
    'RECURRENCE-ID;RANGE',
    'DTEND;TZID=x',
    'RRULE=FREQ',
    'EXDATE;VALUE=DATE',
    'CLASS;PRIVATE',
    'STATUS;CANCELLED',
  ])('rejects the event if it says what or when it is, or whether it is for the public: %s', async (line) => {
    const { fields, rejections } = await read(event(...times, line));
    expect(fields).toEqual([]);
    expect(rejections).toMatchObject([{ code: 'FF_RECORD_MALFORMED' }]);
  });
});

test('A floating DTEND is in the zone of DTSTART', async () => {
  const { fields } = await read(event('UID:x', 'DTSTART;TZID=Europe/Berlin:20240701T100000', 'DTEND:20240701T113000'));
  expect(fields[0]?.end).toBe('2024-07-01T11:30:00+02:00[Europe/Berlin]');
});

test('A TZID is found however its commas are escaped', async () => {
  const zone = hourly('Irgendwo\\, Nirgendwo', '+0700');
  for (const tzid of ['"Irgendwo, Nirgendwo"', '"Irgendwo\\, Nirgendwo"']) {
    const { fields, warnings } = await read([...zone, ...event('UID:x', `DTSTART;TZID=${tzid}:20240701T100000`)]);
    expect(fields[0]?.start).toBe('2024-07-01T10:00:00+07:00[+07:00]');
    expect(warnings).toEqual([]);
  }
});

describe('A changed instance that EXDATE deletes', () => {
  const series = (sequence: number) =>
    event(
      'UID:x',
      'DTSTART:20240701T100000Z',
      'RRULE:FREQ=DAILY;COUNT=2',
      'EXDATE:20240702T100000Z',
      `SEQUENCE:${sequence}`,
    );
  const changed = event('UID:x', 'RECURRENCE-ID:20240702T100000Z', 'DTSTART:20240702T120000Z', 'SEQUENCE:1');

  test('is gone if the series is a later revision', async () => {
    expect((await read([...series(2), ...changed])).fields).toHaveLength(1);
  });

  test('stays if both are of one revision', async () => {
    expect((await read([...series(1), ...changed])).fields).toHaveLength(2);
  });
});

test('A changed instance without its series is published once, with a warning if it has a rule', async () => {
  const lines = event(
    'UID:x',
    'RECURRENCE-ID:20240702T100000Z',
    'DTSTART:20240702T120000Z',
    'RRULE:FREQ=DAILY;COUNT=3',
  );
  const { fields, warnings } = await read(lines);
  expect(fields).toHaveLength(1);
  expect(warnings).toEqual([
    'a changed instance without its series is published once: its RRULE and RDATE are ignored',
  ]);
});

test.each([
  [
    'DTSTART:20240701T100000',
    'DTEND;VALUE=DATE:20240702',
    '2024-07-01T10:00:00-04:00[America/New_York]',
    '2024-07-02T00:00:00-04:00[America/New_York]',
  ],
  ['DTSTART;VALUE=DATE:20240701', 'DTEND:20240702T120000', '2024-07-01', '2024-07-02'],
])('%s with %s is accepted with a warning', async (dtstart, dtend, start, end) => {
  const { fields, warnings } = await read(event('UID:x', dtstart, dtend));
  expect(fields).toMatchObject([{ start, end }]);
  expect(warnings).toHaveLength(1);
});

test('Blanks before BEGIN:VCALENDAR are ignored', async () => {
  const { records } = await readFeed(ical, `\r\n  ${calendar(...event('UID:x', 'DTSTART:20240701T100000Z'))}`);
  expect(records).toHaveLength(1);
});

test.each([
  ['DTSTART;TZID=Asia/Tokyo:20240701T000000', 'DTEND;TZID=Asia/Tokyo:20240702T000000'],
  ['DTSTART:20240701T040000Z', 'DTEND:20240702T040000Z'],
])('X-MICROSOFT-CDO-ALLDAYEVENT means the whole day: %s', async (start, end) => {
  const { fields } = await read(event('UID:x', start, end, 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'));
  expect(fields).toMatchObject([{ start: '2024-07-01', end: '2024-07-01', allDay: true }]);
});
