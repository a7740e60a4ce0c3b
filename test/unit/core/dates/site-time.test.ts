import { expect, test } from 'vitest';
import { siteTime } from '../../../../src/core/dates/site-time.ts';

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
