import { expect, test } from 'vitest';
import { shortSiteTime, siteTime } from '../../../../src/core/dates/site-time.ts';

test.each([
  ['America/New_York', '2027-01-15T17:05:09Z', '2027-01-15 12:05 EST'],
  ['America/New_York', '2027-07-15T17:05:09Z', '2027-07-15 13:05 EDT'],
  ['Europe/Berlin', '2027-07-15T22:30:00Z', '2027-07-16 00:30 CEST'],
  ['Europe/London', '2027-01-15T12:00:00Z', '2027-01-15 12:00 GMT'],
  ['Australia/Sydney', '2027-01-15T12:00:00Z', '2027-01-15 23:00 AEDT'],
  ['America/Sao_Paulo', '2027-01-15T12:00:00Z', '2027-01-15 09:00 GMT-3'],
  ['UTC', '2027-01-15T12:00:00Z', '2027-01-15 12:00 UTC'],
])('A time in %s has the zone’s abbreviation (%s)', (timezone, instant, shown) => {
  expect(siteTime(instant, timezone)).toBe(shown);
  expect(siteTime(Date.parse(instant), timezone)).toBe(shown);
});

test('A short time has no year, unless it is half a year away: then it is a date', () => {
  const short = (instant: string) => shortSiteTime(instant, 'America/New_York', Date.parse('2027-01-02T12:00:00Z'));
  expect(['2027-01-05T02:05:00Z', '2026-12-30T17:00:00Z', '2026-06-01T12:00:00Z'].map(short)).toEqual([
    'Jan 04 21:05',
    'Dec 30 12:00',
    '2026-06-01',
  ]);
});
