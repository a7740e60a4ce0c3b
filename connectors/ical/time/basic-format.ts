import { DAY, parseIso, toIso, type WallTime } from '../../../src/core/dates/wall-time.ts';

/** The supported calendar: years 1 to 9999, without a day at each end for the offsets of zones. */
const FIRST: WallTime = Date.parse('0001-01-02T00:00:00Z');
export const LAST: WallTime = Date.parse('9999-12-30T23:59:59Z');

/**
 * Parses the format of RFC 5545: YYYYMMDD or YYYYMMDDTHHMMSS, the latter with a Z for UTC. Returns undefined for dates that
 * are not in the calendar, such as 30 February. The last day of the year 9999, which means "never", becomes the day before.
 */
export function parseBasicFormat(text: string): { wall: WallTime; isDate: boolean; isUtc: boolean } | undefined {
  const [, year, month, day, hour, minute, second, z] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/i.exec(text.trim()) ?? [];
  const isDate = hour === undefined;
  const iso = `${year}-${month}-${day}T${isDate ? '00:00:00' : `${hour}:${minute}:${second}`}`;
  const given = parseIso(iso);
  if (given === undefined) return undefined;
  const wall = given > LAST ? given - DAY : given;
  return isInCalendar(wall) ? { wall, isDate, isUtc: z !== undefined } : undefined;
}

/** Returns whether a wall time is in the supported calendar; false for NaN. */
export function isInCalendar(wall: WallTime): boolean {
  return wall >= FIRST && wall <= LAST;
}

/** Formats as YYYYMMDDTHHMMSS, as in RFC 5545. */
export function toBasicFormat(wall: WallTime): string {
  return toIso(wall).replace(/[-:]/g, '');
}
