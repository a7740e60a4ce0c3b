import { DAY, parseIso, toIso, toIsoDay } from './wall-time.ts';
import { namedZone, toWallTime } from './zone.ts';

/** Days as ISO dates, inclusive; absent: open. */
export interface DayRange {
  from?: string;
  to?: string;
}

/** Returns whether the text is an existing ISO 8601 calendar date, YYYY-MM-DD. */
export function isIsoDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseIso(`${text}T00:00:00`) !== undefined;
}

/** Returns the date (YYYY-MM-DD) of an instant (ms since 1970) in a zone. */
export function dateAt(epochMs: number, timezone: string): string {
  return toIsoDay(toWallTime(epochMs, namedZone(timezone)));
}

/** Returns what the clock of a zone shows at an instant (ms since 1970), as YYYY-MM-DDTHH:MM:SS. */
export function clockAt(epochMs: number, timezone: string): string {
  return toIso(toWallTime(epochMs, namedZone(timezone)));
}

/** Returns the date a number of days later, or earlier if negative. */
export function addDays(date: string, days: number): string {
  return toIsoDay(Date.parse(`${date}T00:00:00Z`) + days * DAY);
}
