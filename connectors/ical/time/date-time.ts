import { Temporal } from 'temporal-polyfill';
import { DAY, midnightOf, type WallTime } from '../../../src/core/dates/wall-time.ts';
import { toInstant, toWallTime, utc, type Zone } from '../../../src/core/dates/zone.ts';
import { CodedError } from '../../../src/core/errors.ts';
import type { Property } from '../parse/property.ts';
import { isInCalendar, parseBasicFormat } from './basic-format.ts';

/** A DATE, which is never an instant, or a DATE-TIME in its zone. A floating DATE-TIME gets the zone of its calendar. */
export type DateOrTime = { is: 'date'; wall: WallTime } | { is: 'time'; wall: WallTime; zone: Zone; floating: boolean };

/** Returns the zone of a TZID, or the zone of floating times if `tzid` is undefined. */
export type ZoneOf = (tzid: string | undefined) => Zone;

/** The duration of an event: whole days by the calendar, then ms by the clock. */
export interface Duration {
  days: number;
  ms: number;
}

export const noDuration: Duration = { days: 0, ms: 0 };

/** The time of an event. */
export interface TimeSpan {
  start: DateOrTime;
  duration: Duration;
}

/**
 * Parses a DATE or DATE-TIME (RFC 5545, 3.3.4 and 3.3.5) of a property. A time with an offset is in the zone of its TZID, or else
 * in a zone of that offset.
 * @throws CodedError FF_RECORD_DATE if the date is not in the calendar, instead of rolling it over
 */
export function parseDateOrTime({ name, params }: Property, value: string, zoneOf: ZoneOf): DateOrTime {
  const parsed = parseBasicFormat(value);
  if (parsed === undefined) {
    throw new CodedError('FF_RECORD_DATE', `${name}: "${value.slice(0, 60)}" is not a date or time`);
  }
  const { wall, isDate, offset } = parsed;
  if (isDate) return { is: 'date', wall };
  if (offset === 0) return { is: 'time', wall, zone: utc, floating: false };
  const tzid = params.get('TZID');
  if (offset === undefined) return { is: 'time', wall, zone: zoneOf(tzid), floating: tzid === undefined };
  const zone = tzid === undefined ? { offsetAt: () => offset } : zoneOf(tzid);
  return { is: 'time', wall: toWallTime(wall - offset, zone), zone, floating: false };
}

/** The instant of a moment, as ms since 1970. A DATE counts as its midnight in UTC. */
export function instantOf(moment: DateOrTime): number {
  return moment.is === 'date' ? moment.wall : toInstant(moment.wall, moment.zone);
}

/** The instant at which an event ends: days by the calendar of its zone, the rest by the clock. */
export function endOf({ start, duration }: TimeSpan): number {
  return instantOf({ ...start, wall: start.wall + duration.days * DAY }) + duration.ms;
}

/** The length of a duration in ms, if all days have 24 hours. */
export function lengthOf({ days, ms }: Duration): number {
  return days * DAY + ms;
}

/** Returns the wall time of a moment in the zone of a series. If the moment or the series is a DATE, it is as written. */
export function wallTimeIn(series: DateOrTime, moment: DateOrTime): WallTime {
  if (series.is === 'date') return midnightOf(moment.wall);
  // A floating time in a series with a zone is a time in that zone.
  if (moment.is === 'date' || moment.floating || moment.zone === series.zone) return moment.wall;
  return toWallTime(instantOf(moment), series.zone);
}

/**
 * Returns the wall time that clocks show at a wall time of a series: another one if it is in the gap of spring. Instances are compared
 * by it, because a feed may name an instance in the gap by its instant.
 */
export function shownWallTime(series: DateOrTime, wall: WallTime): WallTime {
  return series.is === 'date' ? wall : toWallTime(toInstant(wall, series.zone), series.zone);
}

/**
 * Returns the duration from start to DTEND: exact for times; whole days for dates, with an exclusive end (RFC 5545, 3.6.1). If
 * the start is a time and the end a date, the event ends at the midnight of the end; if the start is a date and the end a time,
 * the day of the end is included. A floating end is in the zone of the start. Negative if the end is before the start.
 */
export function durationUntil(start: DateOrTime, end: DateOrTime): Duration {
  if (start.is === 'date') return { days: Math.ceil((end.wall - start.wall) / DAY), ms: 0 };
  const inZoneOfStart = end.is === 'date' || (end.floating && !start.floating);
  return { days: 0, ms: instantOf(inZoneOfStart ? { ...start, wall: end.wall } : end) - instantOf(start) };
}

/**
 * Parses a DURATION (RFC 5545, 3.3.6): days and weeks are nominal, hours exact. An all-day event lasts whole days.
 * @throws CodedError FF_RECORD_DATE
 */
export function parseDuration(value: string, start: DateOrTime): Duration {
  try {
    const duration = Temporal.Duration.from(value.trim());
    if (duration.years !== 0 || duration.months !== 0) throw new RangeError('years and months');
    const days = duration.weeks * 7 + duration.days;
    const ms = duration.with({ weeks: 0, days: 0 }).total('milliseconds');
    const length = lengthOf({ days, ms });
    if (length > 0 && !isInCalendar(start.wall + length - 1000)) throw new RangeError('beyond the calendar');
    return start.is === 'date' ? { days: days + Math.ceil(ms / DAY), ms: 0 } : { days, ms };
  } catch (cause) {
    throw new CodedError('FF_RECORD_DATE', `DURATION: "${value.slice(0, 60)}" is not a duration`, { cause });
  }
}
