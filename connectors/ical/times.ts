import { Temporal } from 'temporal-polyfill';
import { CodedError } from '../../src/core/errors.ts';
import type { Property } from './property.ts';

/** A DATE, which is never an instant, or a DATE-TIME in its zone. */
export type When = { is: 'date'; date: Temporal.PlainDate } | { is: 'time'; time: Temporal.ZonedDateTime };

/** Finds the zone of a TZID; undefined stands for a floating time. */
export type ZoneOf = (tzid: string | undefined) => string;

/**
 * Reads DTSTART, DTEND and the like (RFC 5545, 3.3.4 and 3.3.5). A wall time in a spring gap moves forward by the gap, one
 * in an autumn fold is the first of the two.
 * @throws CodedError FF_RECORD_DATE for what is no date or time of the calendar: nothing is rolled over.
 */
export function parseWhen({ name, params, value }: Property, zoneOf: ZoneOf): When {
  const match = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/i.exec(value.trim());
  if (match === null) throw noDate(name, value);
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
  try {
    const date = Temporal.PlainDate.from({ year: year ?? 0, month: month ?? 0, day: day ?? 0 }, { overflow: 'reject' });
    if (match[4] === undefined) return { is: 'date', date };
    // 60 is a leap second (RFC 5545, 3.3.12); no calendar shows it.
    const clock = { hour, minute, second: second === 60 ? 59 : second };
    const plainTime = Temporal.PlainTime.from(clock, { overflow: 'reject' });
    const timeZone = match[7] === undefined ? zoneOf(params.get('TZID')) : 'UTC';
    return { is: 'time', time: date.toZonedDateTime({ timeZone, plainTime }) };
  } catch (cause) {
    throw noDate(name, value, cause);
  }
}

/** Start and end as fields: dates as YYYY-MM-DD with the last day inclusive, times as RFC 9557 strings. */
export interface Span {
  start: string;
  end: string;
  allDay: boolean;
  warning?: string;
}

/**
 * The span of an event. DTEND of a DATE is exclusive in RFC 5545; without DTEND and DURATION an all-day event lasts its
 * day, a timed one no time (3.6.1). An end before the start becomes the start, with a warning.
 * @throws CodedError FF_RECORD_DATE
 */
export function spanOf(start: When, end: When | undefined, duration: string | undefined): Span {
  if (end && end.is !== start.is) {
    throw new CodedError('FF_RECORD_DATE', 'DTSTART and DTEND are not of one kind: one is a date, the other a time');
  }
  return start.is === 'date' ? dateSpan(start.date, end, duration) : timeSpan(start.time, end, duration);
}

function dateSpan(start: Temporal.PlainDate, end: When | undefined, duration: string | undefined): Span {
  let next = end?.is === 'date' ? end.date : undefined;
  if (next === undefined && duration !== undefined) {
    // PT24H and the like are whole days here.
    const days = parseDuration(duration).total({ unit: 'days', relativeTo: start });
    next = start.add({ days: Math.ceil(days) });
  }
  const last = next?.subtract({ days: 1 }) ?? start;
  const reversed = next !== undefined && Temporal.PlainDate.compare(next, start) < 0;
  const isShort = Temporal.PlainDate.compare(last, start) < 0;
  return withWarning({ start: `${start}`, end: `${isShort ? start : last}`, allDay: true }, reversed);
}

function timeSpan(start: Temporal.ZonedDateTime, end: When | undefined, duration: string | undefined): Span {
  let stop = end?.is === 'time' ? end.time : start;
  if (end === undefined && duration !== undefined) stop = start.add(parseDuration(duration));
  const reversed = Temporal.ZonedDateTime.compare(stop, start) < 0;
  return withWarning({ start: show(start), end: show(reversed ? start : stop), allDay: false }, reversed);
}

function withWarning(span: Span, reversed: boolean): Span {
  return reversed ? { ...span, warning: 'it ends before it starts; its end is taken to be its start' } : span;
}

/** RFC 5545, 3.3.6; days and weeks are nominal, hours exact, as Temporal adds them too. */
function parseDuration(value: string): Temporal.Duration {
  try {
    const duration = Temporal.Duration.from(value.trim());
    if (duration.years !== 0 || duration.months !== 0) throw new RangeError('years and months');
    return duration;
  } catch (cause) {
    throw new CodedError('FF_RECORD_DATE', `DURATION ${value.slice(0, 60)} is not a duration`, { cause });
  }
}

/** An RFC 9557 string to the second. */
export function show(time: Temporal.ZonedDateTime): string {
  return time.toString({ smallestUnit: 'second' });
}

function noDate(name: string, value: string, cause?: unknown): CodedError {
  return new CodedError('FF_RECORD_DATE', `${name} ${value.slice(0, 60)} is not a date or time`, { cause });
}
