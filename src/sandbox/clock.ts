import { Temporal } from 'temporal-polyfill';

/** Returns a clock of the site's wall time, as ISO text without a zone: "2026-05-04T09:30:00". Texts of this form compare as times do. */
export function siteClock(timezone: string, now: () => number): () => string {
  // Swedish dates are ISO dates.
  const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  return () => wall.format(now()).replace(' ', 'T');
}

/** Returns the instant of a site's wall time. In a spring gap it moves forward, in an autumn fold it is the first (RFC 5545, 3.3.5). */
export function wallToInstant(date: string, time: string, timezone: string): Date {
  const zoned = Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timezone, {
    disambiguation: 'compatible',
  });
  return new Date(zoned.epochMilliseconds);
}
