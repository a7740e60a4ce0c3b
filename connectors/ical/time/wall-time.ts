/**
 * A wall time: what clock and calendar show at some place, as ms since 1970 as if it were UTC, so that it can be compared
 * and calculated with. A DATE is its midnight. Only the UTC functions of Date are used, so this machine's zone does not matter.
 */
export type WallTime = number;

export const DAY = 86_400_000;

/** The supported calendar: years 1 to 9999, without a day at each end for the offsets of zones. */
const FIRST: WallTime = Date.parse('0001-01-02T00:00:00Z');
export const LAST: WallTime = Date.parse('9999-12-30T23:59:59Z');

/**
 * Parses the format of RFC 5545: YYYYMMDD or YYYYMMDDTHHMMSS, the latter with a Z for UTC. Returns undefined for what is
 * not in the calendar, such as 30 February. The last day of the year 9999, which stands for "never", is that before it.
 */
export function parseBasicFormat(text: string): { wall: WallTime; isDate: boolean; isUtc: boolean } | undefined {
  const [, year, month, day, hour, minute, second, z] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/i.exec(text.trim()) ?? [];
  const isDate = hour === undefined;
  const iso = `${year}-${month}-${day}T${isDate ? '00:00:00' : `${hour}:${minute}:${second}`}`;
  const given = Date.parse(`${iso}Z`);
  const wall = given > LAST ? given - DAY : given;
  return isInCalendar(wall) && toIso(given) === iso ? { wall, isDate, isUtc: z !== undefined } : undefined;
}

/** Returns false for NaN, too. */
export function isInCalendar(wall: WallTime): boolean {
  return wall >= FIRST && wall <= LAST;
}

/** Formats as YYYY-MM-DDTHH:MM:SS. */
export function toIso(wall: WallTime): string {
  const time = wall - midnightOf(wall);
  const [hours, minutes, seconds] = [
    Math.floor(time / 3_600_000),
    Math.floor(time / 60_000) % 60,
    Math.floor(time / 1000) % 60,
  ];
  return `${toIsoDay(wall)}T${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds)}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** The occurrences of a calendar have few different days, and Date formats slowly. */
const knownDays = new Map<WallTime, string>();
const MOST_KNOWN = 10_000;

/** Formats as YYYY-MM-DD. */
export function toIsoDay(wall: WallTime): string {
  const midnight = midnightOf(wall);
  const known = knownDays.get(midnight);
  if (known !== undefined) return known;
  const day = new Date(wall).toISOString().slice(0, 10);
  if (knownDays.size < MOST_KNOWN) knownDays.set(midnight, day);
  return day;
}

/** Formats as YYYYMMDDTHHMMSS, as in RFC 5545. */
export function toBasicFormat(wall: WallTime): string {
  return toIso(wall).replace(/[-:]/g, '');
}

export function midnightOf(wall: WallTime): WallTime {
  return Math.floor(wall / DAY) * DAY;
}
