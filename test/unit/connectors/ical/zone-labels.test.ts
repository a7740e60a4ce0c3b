import { expect, test } from 'vitest';
import { resolveZone } from '../../../../connectors/ical/zones/zones.ts';
import { event } from '../ical-lines.ts';
import { readLines } from './read-lines.ts';

const days = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];
/** The offsets of a label in winter and summer, in hours. */
const offsetsOf = (label: string, source = 'Asia/Tokyo') => {
  const zone = resolveZone(label, source);
  return zone && days.map((day) => zone.offsetAt(day) / 3_600_000);
};

test.each<[expected: number[], labels: string[]]>([
  [
    [-5, -4],
    [
      ...['Eastern Time', 'Eastern', 'EDT', 'US-Eastern', 'eastern time (us & canada)', 'Eastern Daylight Time'],
      ...['America/New York', 'America-New_York', 'America/New_York (EST)', ' america/new_york ', '"America/New_York"'],
      ...['(GMT-05.00) Eastern Time (US & Canada)', 'Eastern Daylight Time (New York, GMT-04:00)', 'Eastern Time Zone'],
      ...['/freeassociation.sourceforge.net/Tzfile/America/New_York', 'US Eastern Daylight Time', 'New York'],
    ],
  ],
  [
    [1, 2],
    [
      ...['Berlin', 'Paris', 'Rome', 'Vienna', 'Europe\\Berlin', 'W. Europe', 'W. Europe Daylight Time', 'Romance'],
      ...['CEST', 'cest', 'MEZ', 'MESZ', 'Central European Time', 'Central European Summer Time', 'Berlin, Germany'],
      ...['Mitteleuropäische Sommerzeit', 'heure d’été d’Europe centrale', "heure d'été d'Europe centrale"],
      ...['(GMT+01:00) Amsterdam, Berlin, Bern', 'Europe Time (Berlin, GMT+01:00)', '(UTC+01:00) Europe/Berlin'],
      ...['tzone://Microsoft/W. Europe Standard Time', 'Hora de verano de Europa central', 'GMT+01:00 - Berlin'],
    ],
  ],
  [
    [0, 1],
    ['London', 'British Summer Time', 'GMT Summer Time (London, GMT+01:00)', 'Edinburgh', 'WEST'],
  ],
  [
    [-8, -7],
    ['Pacific Time', 'PDT', 'PST', 'Pacific', '(GMT-08:00) Pacific Time - Los Angeles', 'Tijuana'],
  ],
  [
    [-6, -5],
    ['Central Time', 'CDT', '(GMT-06:00) Central Time - Chicago', 'US-Central'],
  ],
  [
    [-10, -10],
    ['Hawaii', 'Hawaii Time', 'HST'],
  ],
  [
    [-7, -7],
    ['Arizona', 'US-Arizona'],
  ],
  [
    [2, 3],
    ['Kyiv', 'EEST', 'Athens', 'OESZ'],
  ],
  [
    [3, 3],
    ['Istanbul', 'Minsk', 'Moscow', 'Moscow Standard Time'],
  ],
  [
    [9, 9],
    ['JST', 'Tokyo', 'Japan Standard Time'],
  ],
  [
    [11, 10],
    ['AEDT', 'AEST', 'Sydney', 'AUS Eastern', 'Canberra'],
  ],
  [
    [13, 12],
    ['NZDT', 'Auckland', 'Wellington'],
  ],
  [
    [-4, -4],
    ['La Paz', 'Puerto Rico', 'Caracas'],
  ],
  [
    [-11, -11],
    ['American Samoa', 'Midway Island'],
  ],
  [
    [0, 0],
    ['Z', 'utc', 'tzone://Microsoft/Utc', '(UTC)', 'Coordinated Universal Time', 'Greenwich Mean Time'],
  ],
  [
    [2, 2],
    ['GMT+2', 'UTC+02:00', '(UTC+02:00)', 'gmt +0200', '+02:00'],
  ],
])('These labels have the offsets %j', (expected, labels) => {
  expect(labels.map((label) => [label, offsetsOf(label)])).toEqual(labels.map((label) => [label, expected]));
});

test.each([
  ['CST', 'America/Chicago'],
  ['CST', 'America/Winnipeg'],
  ['cst', 'Asia/Taipei'],
  ['IST', 'Asia/Kolkata'],
  ['IST', 'Europe/Dublin'],
  ['BST', 'Europe/London'],
  ['AST', 'America/Halifax'],
])('The ambiguous abbreviation %s is the zone of a source in %s', (label, source) => {
  expect(resolveZone(label, source)?.id).toBe(source);
});

test.each([
  'CST',
  'IST',
  'BST',
  'Nowhere',
  'Foo/Bar',
  'Custom',
  'Local Time',
  '__proto__',
  'constructor',
  `${'a '.repeat(9999)}(`,
])('A label that tells no zone stays unknown: %.20s', (label) => {
  expect(resolveZone(label, 'America/New_York')).toBeUndefined();
});

test('An unknown label means the zone of the source, with a warning; a common one does not warn', async () => {
  const { fields, warnings } = await readLines([
    ...event('UID:a', 'DTSTART;TZID="Eastern Time":20260701T100000'),
    ...event('UID:b', 'DTSTART;TZID=CST:20260701T100000'),
  ]);
  expect(fields.map(({ start }) => start)).toEqual([
    '2026-07-01T10:00:00-04:00[America/New_York]',
    '2026-07-01T10:00:00-04:00[America/New_York]',
  ]);
  expect(warnings).toEqual(['unknown time zone "CST"; America/New_York is used']);
});

test.each([
  ['London', 'Europe/London'],
  ['GMT', 'GMT'],
])('The VTIMEZONE of a calendar wins over the common meaning of its label %s', async (label, common) => {
  const zone = ['STANDARD', 'DAYLIGHT'].flatMap((part) => [
    `BEGIN:${part}`,
    `DTSTART:20000101T000000`,
    'TZOFFSETFROM:+0700',
    'TZOFFSETTO:+0700',
    `END:${part}`,
  ]);
  const read = (...definition: string[]) =>
    readLines([...definition, ...event('UID:x', `DTSTART;TZID=${label}:20260101T100000`)]);
  const { fields } = await read('BEGIN:VTIMEZONE', `TZID:${label}`, ...zone, 'END:VTIMEZONE');
  expect(fields[0]?.start).toBe('2026-01-01T10:00:00+07:00[+07:00]');
  expect((await read()).fields[0]?.start).toBe(`2026-01-01T10:00:00+00:00[${common}]`);
});
