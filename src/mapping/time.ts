import { Temporal } from 'temporal-polyfill';

/** IANA zones of a mapping: of the site, and of wall times in the feed that name none. */
export interface Zones {
  siteTimezone: string;
  sourceTimezone: string;
}

/**
 * A point of a calendar: a day, or a time of a day. `date` (YYYY-MM-DD) and `time` (HH:MM:SS) are wall time of the site;
 * `written` is the time as the feed has it, for values that turn out to mean whole days.
 */
export type Moment =
  | { is: 'day'; date: string }
  | { is: 'time'; date: string; time: string; written: { date: string; time: string } };

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
const momentPattern =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}(?::?\d{2})?)?(\[[^\]=]+\])?$/;
const timePattern = /^(\d{1,2})(?::(\d{2}))?(?::(\d{2})(?:\.\d+)?)?\s*(?:([ap])\.?m\.?)?$/i;

/** Whether the text is an ISO 8601 calendar date that exists. */
export function isDate(text: string): boolean {
  return datePattern.test(text) && attempt(() => Temporal.PlainDate.from(text)) !== undefined;
}

/** 'HH:MM[:SS]', '7:30 pm' or '7 pm' → 'HH:MM:SS'; undefined for anything else. Fractions of a second are dropped. */
export function parseTime(text: string): string | undefined {
  const [, hours, minutes, seconds, half] = timePattern.exec(text.trim()) ?? [];
  if (hours === undefined || (minutes === undefined && half === undefined)) return undefined;
  const hour = half === undefined ? Number(hours) : hourOfDay(Number(hours), half.toLowerCase());
  if (hour === undefined || hour > 23 || Number(minutes ?? 0) > 59 || Number(seconds ?? 0) > 59) return undefined;
  return [String(hour).padStart(2, '0'), minutes ?? '00', seconds ?? '00'].join(':');
}

function hourOfDay(hour: number, half: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}

/**
 * Reads an ISO 8601 date, a local date-time (wall time in the source's zone), one with an offset or Z, or an RFC 9557
 * one with its zone, and converts it to the site's zone. A wall time in the spring gap moves forward by the gap; of an
 * ambiguous autumn hour the first counts. Undefined for anything else.
 */
export function parseMoment(text: string, zones: Zones): Moment | undefined {
  const trimmed = text.trim();
  if (isDate(trimmed)) return { is: 'day', date: trimmed };
  const [, date, time, offset = '', zone = ''] = momentPattern.exec(trimmed) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const exact = `${date}T${time}${offset.toUpperCase()}${zone || (offset ? '' : `[${zones.sourceTimezone}]`)}`;
  const site = attempt(() => toZone(exact, zones.siteTimezone));
  return site && { is: 'time', ...site, written: { date, time: time.length === 5 ? `${time}:00` : time.slice(0, 8) } };
}

/** The instant of a moment in ms since 1970; a day starts when it starts at the site. */
export function toEpochMs(moment: Moment, siteTimezone: string): number {
  const time = moment.is === 'time' ? moment.time : '00:00:00';
  return Temporal.ZonedDateTime.from(`${moment.date}T${time}[${siteTimezone}]`).epochMilliseconds;
}

/** The date (YYYY-MM-DD) that an instant (ms since 1970) falls on in a zone. */
export function dateAt(epochMs: number, timezone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timezone).toPlainDate().toString();
}

/** The date that many days later, or earlier where negative. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

function toZone(exact: string, timezone: string): { date: string; time: string } {
  const instant = exact.endsWith(']')
    ? Temporal.ZonedDateTime.from(exact, { offset: 'use', disambiguation: 'compatible' }).toInstant()
    : Temporal.Instant.from(exact);
  const wall = instant.toZonedDateTimeISO(timezone).toPlainDateTime();
  return { date: wall.toPlainDate().toString(), time: wall.toPlainTime().toString({ smallestUnit: 'second' }) };
}

/** Temporal throws a RangeError for what does not exist: 30 February, hour 25, an unknown zone. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
