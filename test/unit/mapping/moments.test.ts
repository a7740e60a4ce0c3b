import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { parseMoment } from '../../../src/mapping/time.ts';
import { rounds } from '../../support/long.ts';

const zone = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Casablanca',
);
const year = fc.oneof(fc.integer({ min: 1900, max: 2100 }), fc.integer({ min: 1, max: 9998 }));
const twoDigits = (max: number) => fc.nat(max).map((value) => String(value).padStart(2, '0'));
const written = fc.record({
  date: fc.tuple(year, twoDigits(13), twoDigits(32)).map(([y, m, d]) => `${String(y).padStart(4, '0')}-${m}-${d}`),
  time: fc.oneof(
    fc.tuple(twoDigits(24), twoDigits(60)).map((parts) => parts.join(':')),
    fc.tuple(twoDigits(24), twoDigits(60), twoDigits(61)).map((parts) => parts.join(':')),
    fc.constantFrom('02:30:00', '02:30:00.75', '23:59:60'),
  ),
  offset: fc.oneof(
    fc.constantFrom('', 'Z', 'z', '+01', '-0330', '+24:00'),
    fc.tuple(fc.constantFrom('+', '-'), twoDigits(23), twoDigits(59)).map(([sign, h, m]) => `${sign}${h}:${m}`),
  ),
  zone: fc.option(fc.oneof(zone, fc.constantFrom('europe/berlin', '!Europe/Berlin', '+05:45', 'Mars/Olympus'))),
});

test('A date and time with any offset and zone is converted to the site as Temporal converts it', () => {
  fc.assert(
    fc.property(written, zone, zone, ({ date, time, offset, zone: named }, sourceTimezone, siteTimezone) => {
      // ISO 8601 writes the end of a day like this; Temporal does not read it.
      fc.pre(!/^24:00(:00)?$/.test(time));
      const text = `${date}T${time}${offset}${named === null ? '' : `[${named}]`}`;
      const moment = parseMoment(text, { sourceTimezone, siteTimezone });
      const converted = moment?.is === 'time' ? `${moment.date}T${moment.time}` : undefined;
      expect(converted, text).toBe(byTemporal(text, offset, named ?? undefined, sourceTimezone, siteTimezone));
    }),
    { numRuns: rounds(300, 40_000) },
  );
});

function byTemporal(text: string, offset: string, named: string | undefined, source: string, site: string) {
  try {
    // With Z, the time is exact: Temporal reads an instant only without the name of a zone.
    const zoned = named === undefined && offset === '' ? `${text}[${source}]` : text.replace('z', 'Z');
    const instant = zoned.endsWith(']')
      ? Temporal.ZonedDateTime.from(zoned, { offset: 'use', disambiguation: 'compatible' }).toInstant()
      : Temporal.Instant.from(zoned);
    return instant.toZonedDateTimeISO(site).toPlainDateTime().toString({ smallestUnit: 'second' });
  } catch {
    return undefined;
  }
}
