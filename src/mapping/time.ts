import { hourInPeriod } from '../core/dates/day-periods.ts';
import { isIsoDate } from '../core/dates/iso-date.ts';
import { plainWriting } from '../core/dates/plain-writing.ts';
import { DAY, parseIso, toIso, toIsoDay, type WallTime } from '../core/dates/wall-time.ts';
import { namedZone, parseOffset, toInstant, toWallTime, type Zone } from '../core/dates/zone.ts';

/** IANA zones of a mapping: of the site, and of wall times without a zone in the feed. */
export interface Zones {
  siteTimezone: string;
  sourceTimezone: string;
}

/** For what other zones do not change, such as whether a text is a date. */
export const inUtc: Zones = { siteTimezone: 'UTC', sourceTimezone: 'UTC' };

/**
 * A point of a calendar: a day, or a time of a day. `date` (YYYY-MM-DD) and `time` (HH:MM:SS) are wall time of the site;
 * `written` is the wall time in the feed, for values that turn out to mean whole days.
 */
export type Moment =
  | { is: 'day'; date: string }
  | { is: 'time'; date: string; time: string; written: { date: string; time: string } };

const momentPattern =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(?:(:\d{2})(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?(?:\[!?([^\]=]+)\])?$/;
const timePattern = /^(\d{1,2})(?::(\d{2}))?(?::(\d{2})(?:\.\d+)?)?(?:\s*([ap])\.?\s?m\.?|([ap]))?$/i;

/** The years that have four digits. */
const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59Z');

/** The end of a day, which ISO 8601 also writes as the start of the next one. */
export const DAY_END = '24:00:00';

/** Reads 'HH:MM[:SS]', '24:00', '7:30 pm' or '7 pm' as 'HH:MM:SS', without fractions; undefined for any other text. */
export function parseTime(text: string): string | undefined {
  const plain = plainWriting(text).trim();
  const [, hours, minutes, seconds, written, letter] = timePattern.exec(plain) ?? [];
  const half = written ?? letter;
  if (hours === undefined) return undefined;
  if (minutes === undefined && half === undefined) return undefined;
  if (/^24:00(:00)?$/.test(plain)) return DAY_END;
  const hour = half === undefined ? Number(hours) : hourInPeriod(Number(hours), half, 'en');
  if (hour === undefined || hour > 23 || Number(minutes ?? 0) > 59 || Number(seconds ?? 0) > 59) return undefined;
  return [String(hour).padStart(2, '0'), minutes ?? '00', seconds ?? '00'].join(':');
}

/**
 * Reads an ISO 8601 date, a local date-time (wall time in the source's zone), a date-time with an offset or Z, or an RFC 9557
 * date-time with its zone, and converts it to the site's zone. A wall time in the gap of a clock change moves forward by the
 * gap; a repeated wall time is its first occurrence. Returns undefined for any other text.
 */
export function parseMoment(text: string, zones: Zones): Moment | undefined {
  const trimmed = plainWriting(text).trim();
  if (isIsoDate(trimmed)) return { is: 'day', date: trimmed };
  const [, date, minutes, seconds = ':00', offset, zone] = momentPattern.exec(trimmed) ?? [];
  if (date === undefined || minutes === undefined) return undefined;
  // 60 is a leap second, which no clock shows.
  const time = `${minutes}${seconds === ':60' ? ':59' : seconds}`;
  const midnight = time === DAY_END ? parseIso(`${date}T00:00:00`) : undefined;
  const wall = midnight === undefined ? parseIso(`${date}T${time}`) : midnight + DAY;
  const instant = wall === undefined ? undefined : readInstant(wall, offset, zone, zones.sourceTimezone);
  if (instant === undefined || Number.isNaN(instant)) return undefined;
  const written = midnight === undefined ? { date, time } : { date: toIsoDay(midnight + DAY), time: '00:00:00' };
  const site = toWallTime(instant, namedZone(zones.siteTimezone));
  if (site < FIRST || site > LAST) return undefined;
  return { is: 'time', date: toIsoDay(site), time: toIso(site).slice(11), written };
}

/** Returns the instant of a moment in ms since 1970; a day begins at midnight of the site. */
export function toEpochMs(moment: Moment, siteTimezone: string): number {
  const wall = parseIso(`${moment.date}T${moment.is === 'time' ? moment.time : '00:00:00'}`);
  return wall === undefined ? Number.NaN : toInstant(wall, namedZone(siteTimezone));
}

/** Returns undefined for an unknown zone. An offset takes precedence over the rules of a zone, which may have changed since. */
function readInstant(wall: WallTime, offset: string | undefined, zoneName: string | undefined, sourceTimezone: string) {
  const zone = zoneName === undefined ? namedZone(sourceTimezone) : knownZone(zoneName);
  if (zone === undefined) return undefined;
  return offset === undefined ? toInstant(wall, zone) : wall - (parseOffset(offset) ?? Number.NaN);
}

function knownZone(name: string): Zone | undefined {
  try {
    // Temporal would read the zone of a whole ISO text, too.
    return /^([A-Za-z][\w+/-]*|[+-]\d{2}:?\d{2})$/.test(name) ? namedZone(name) : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
