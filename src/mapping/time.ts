import { Temporal } from 'temporal-polyfill';
import { hourOfDay } from '../core/dates/date-format.ts';
import { isIsoDate } from '../core/dates/iso-date.ts';

/** IANA zones of a mapping: of the site, and of wall times in the feed without a zone. */
export interface Zones {
  siteTimezone: string;
  sourceTimezone: string;
}

/**
 * A point of a calendar: a day, or a time of a day. `date` (YYYY-MM-DD) and `time` (HH:MM:SS) are wall time of the
 * site; `written` is the wall time in the feed, for values that turn out to mean whole days.
 */
export type Moment =
  | { is: 'day'; date: string }
  | { is: 'time'; date: string; time: string; written: { date: string; time: string } };

const momentPattern =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}(?::?\d{2})?)?(\[[^\]=]+\])?$/;
const timePattern = /^(\d{1,2})(?::(\d{2}))?(?::(\d{2})(?:\.\d+)?)?\s*(?:([ap])\.?m\.?)?$/i;

/** Reads 'HH:MM[:SS]', '7:30 pm' or '7 pm' as 'HH:MM:SS', without fractions; undefined for any other text. */
export function parseTime(text: string): string | undefined {
  const [, hours, minutes, seconds, half] = timePattern.exec(text.trim()) ?? [];
  if (hours === undefined || (minutes === undefined && half === undefined)) return undefined;
  const hour = half === undefined ? Number(hours) : hourOfDay(Number(hours), half.toLowerCase());
  if (hour === undefined || hour > 23 || Number(minutes ?? 0) > 59 || Number(seconds ?? 0) > 59) return undefined;
  return [String(hour).padStart(2, '0'), minutes ?? '00', seconds ?? '00'].join(':');
}

/**
 * Reads an ISO 8601 date, a local date-time (wall time in the source's zone), one with an offset or Z, or an RFC 9557
 * one with its zone, and converts it to the site's zone. A wall time in the gap of a clock change moves forward by the
 * gap; a repeated wall time is its first occurrence. Returns undefined for any other text.
 */
export function parseMoment(text: string, zones: Zones): Moment | undefined {
  const trimmed = text.trim();
  if (isIsoDate(trimmed)) return { is: 'day', date: trimmed };
  const [, date, time, offset = '', zone = ''] = momentPattern.exec(trimmed) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const exact = `${date}T${time}${offset.toUpperCase()}${zone || (offset ? '' : `[${zones.sourceTimezone}]`)}`;
  const site = toZone(exact, zones.siteTimezone);
  return site && { is: 'time', ...site, written: { date, time: time.length === 5 ? `${time}:00` : time.slice(0, 8) } };
}

/** Returns the instant of a moment in ms since 1970; a day begins at midnight of the site. */
export function toEpochMs(moment: Moment, siteTimezone: string): number {
  const time = moment.is === 'time' ? moment.time : '00:00:00';
  return Temporal.ZonedDateTime.from(`${moment.date}T${time}[${siteTimezone}]`).epochMilliseconds;
}

/** Returns undefined for 30 February, hour 25 or an unknown zone. */
function toZone(exact: string, timezone: string): { date: string; time: string } | undefined {
  try {
    const instant = exact.endsWith(']')
      ? Temporal.ZonedDateTime.from(exact, { offset: 'use', disambiguation: 'compatible' }).toInstant()
      : Temporal.Instant.from(exact);
    const wall = instant.toZonedDateTimeISO(timezone).toPlainDateTime();
    return { date: wall.toPlainDate().toString(), time: wall.toPlainTime().toString({ smallestUnit: 'second' }) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
