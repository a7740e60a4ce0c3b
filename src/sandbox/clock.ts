import { Temporal } from 'temporal-polyfill';

/** The site's wall time now, as ISO text without a zone: "2026-05-04T09:30:00". Texts of this form compare as times do. */
export function siteClock(timezone: string, now: () => number): () => string {
  let second = Number.NaN;
  let text = '';
  return () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) {
      second = current;
      const wall = Temporal.Instant.fromEpochMilliseconds(current * 1000).toZonedDateTimeISO(timezone);
      text = wall.toPlainDateTime().toString({ smallestUnit: 'second' });
    }
    return text;
  };
}

/** The instant of a site's wall time. In a spring gap it moves forward, in an autumn fold it is the first (RFC 5545, 3.3.5). */
export function wallToInstant(date: string, time: string, timezone: string): Date {
  const zoned = Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timezone, {
    disambiguation: 'compatible',
  });
  return new Date(zoned.epochMilliseconds);
}

/** The day after an ISO date. */
export function nextDay(date: string): string {
  return Temporal.PlainDate.from(date).add({ days: 1 }).toString();
}
