import { DAY, parseIso, toIso, type WallTime } from '../../../src/core/dates/wall-time.ts';
import { parseOffset } from '../../../src/core/dates/zone.ts';

/** The supported calendar: years 1 to 9999. The first day is left out, because of the offsets of zones. */
const FIRST: WallTime = Date.parse('0001-01-02T00:00:00Z');
export const LAST: WallTime = Date.parse('9999-12-31T23:59:59Z');

/** A date or time as written. */
export interface WrittenTime {
  wall: WallTime;
  isDate: boolean;
  /** The offset from UTC in ms, if a time has one; 0 for a Z. */
  offset?: number;
}

const pattern =
  /^(\d{4})(-?)(\d{2})\2(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:\.\d+)?)?)?(?: ?(Z|[+-]\d{2}(?::?\d{2})?))?$/i;

/**
 * Parses the format of RFC 5545: YYYYMMDD or YYYYMMDDTHHMMSS, the latter with a Z for UTC. The forms of ISO 8601 are read, too:
 * with hyphens and colons, with an offset, and without seconds. Returns undefined for dates that are not in the calendar, such
 * as 30 February.
 */
export function parseBasicFormat(text: string): WrittenTime | undefined {
  const [, year, , month, day, hour, minute = '00', second = '00', zone] = pattern.exec(text.trim()) ?? [];
  // 24:00 is the end of a day. 60 is a leap second (RFC 5545, 3.3.12), which no clock shows.
  const isEndOfDay = hour === '24' && minute === '00' && second === '00';
  const time = `${isEndOfDay ? '00' : (hour ?? '00')}:${minute}:${second === '60' ? '59' : second}`;
  const given = parseIso(`${year}-${month}-${day}T${time}`);
  if (given === undefined) return undefined;
  const wall = isEndOfDay ? given + DAY : given;
  if (!isInCalendar(wall)) return undefined;
  if (hour === undefined || zone === undefined) return { wall, isDate: hour === undefined };
  const offset = parseOffset(zone);
  return offset === undefined ? undefined : { wall, isDate: false, offset };
}

/** Returns whether a wall time is in the supported calendar; false for NaN. */
export function isInCalendar(wall: WallTime): boolean {
  return wall >= FIRST && wall <= LAST;
}

/** Formats as YYYYMMDDTHHMMSS, as in RFC 5545. */
export function toBasicFormat(wall: WallTime): string {
  return toIso(wall).replace(/[-:]/g, '');
}
