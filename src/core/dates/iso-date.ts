import { Temporal } from 'temporal-polyfill';

/** Days as ISO dates, inclusive; absent: open. */
export interface DayRange {
  from?: string;
  to?: string;
}

/** Returns whether the text is an existing ISO 8601 calendar date, YYYY-MM-DD. */
export function isIsoDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Returns the date (YYYY-MM-DD) of an instant (ms since 1970) in a zone. */
export function dateAt(epochMs: number, timezone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timezone).toPlainDate().toString();
}

/** Returns the date a number of days later, or earlier if negative. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}
