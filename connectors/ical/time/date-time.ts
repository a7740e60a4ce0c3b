import { Temporal } from 'temporal-polyfill';
import { CodedError } from '../../../src/core/errors.ts';
import type { Property } from '../parse/property.ts';
import { DAY, isInCalendar, midnightOf, parseWallTime, type WallTime } from './wall-time.ts';
import { toInstant, toWallTime, type Zone } from './zone.ts';

/** A DATE, which is never an instant, or a DATE-TIME in its zone; one that is floating gets the zone of its calendar. */
export type DateOrTime = { is: 'date'; wall: WallTime } | { is: 'time'; wall: WallTime; zone: Zone; floating: boolean };

/** Finds the zone of a TZID; undefined stands for a floating time. */
export type ZoneOf = (tzid: string | undefined) => Zone;

/** How long an event is: whole days by the calendar, then ms by the clock. Both count from the start. */
export interface Duration {
  days: number;
  ms: number;
}

export const noDuration: Duration = { days: 0, ms: 0 };

/**
 * Reads one DATE or DATE-TIME (RFC 5545, 3.3.4 and 3.3.5) of a property.
 * @throws CodedError FF_RECORD_DATE for what is no date or time of the calendar: nothing is rolled over.
 */
export function parseDateOrTime({ name, params }: Property, value: string, utc: Zone, zoneOf: ZoneOf): DateOrTime {
  const [, year, month, day, hour, minute, second, z] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/i.exec(value.trim()) ?? [];
  // 60 is a leap second (RFC 5545, 3.3.12); no calendar shows it.
  const clock = hour === undefined ? '00:00:00' : `${hour}:${minute}:${second === '60' ? '59' : second}`;
  const wall = parseWallTime(`${year}-${month}-${day}T${clock}`);
  if (wall === undefined) throw noDate(name, value);
  if (hour === undefined) return { is: 'date', wall };
  if (z !== undefined) return { is: 'time', wall, zone: utc, floating: false };
  const tzid = params.get('TZID');
  return { is: 'time', wall, zone: zoneOf(tzid), floating: tzid === undefined };
}

/** The instant (ms since 1970) of a time. */
export function instantOf(when: Extract<DateOrTime, { is: 'time' }>): number {
  return toInstant(when.wall, when.zone);
}

/** The wall time of another moment as the zone of a series shows it; that of a DATE, or of a DATE series, is as written. */
export function wallTimeIn(series: DateOrTime, when: DateOrTime): WallTime {
  if (series.is === 'date') return midnightOf(when.wall);
  // A floating time inside a zoned series means the zone of the series.
  if (when.is === 'date' || when.floating || when.zone === series.zone) return when.wall;
  return toWallTime(instantOf(when), series.zone);
}

/**
 * The length from start to DTEND: exact for times, whole days for dates, whose end is exclusive (RFC 5545, 3.6.1).
 * Negative where the end is before the start.
 * @throws CodedError FF_RECORD_DATE
 */
export function durationUntil(start: DateOrTime, end: DateOrTime): Duration {
  if (start.is === 'date' && end.is === 'date') return { days: (end.wall - start.wall) / DAY, ms: 0 };
  if (start.is === 'time' && end.is === 'time') return { days: 0, ms: instantOf(end) - instantOf(start) };
  throw new CodedError('FF_RECORD_DATE', 'DTSTART and DTEND are not of one kind: one is a date, the other a time');
}

/**
 * RFC 5545, 3.3.6: days and weeks are nominal, hours exact. An all-day event lasts whole days.
 * @throws CodedError FF_RECORD_DATE
 */
export function parseDuration(value: string, start: DateOrTime): Duration {
  try {
    const duration = Temporal.Duration.from(value.trim());
    if (duration.years !== 0 || duration.months !== 0) throw new RangeError('years and months');
    const days = duration.weeks * 7 + duration.days;
    const ms = duration.with({ weeks: 0, days: 0 }).total('milliseconds');
    if (!isInCalendar(start.wall + days * DAY + ms) && days + ms > 0) throw new RangeError('beyond the calendar');
    return start.is === 'date' ? { days: days + Math.ceil(ms / DAY), ms: 0 } : { days, ms };
  } catch (cause) {
    throw new CodedError('FF_RECORD_DATE', `DURATION ${value.slice(0, 60)} is not a duration`, { cause });
  }
}

function noDate(name: string, value: string): CodedError {
  return new CodedError('FF_RECORD_DATE', `${name} ${value.slice(0, 60)} is not a date or time`);
}
