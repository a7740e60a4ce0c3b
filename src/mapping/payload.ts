import type { TimeTypes } from '../config/types.ts';
import { addDays } from '../core/dates/iso-date.ts';
import { DAY } from '../core/dates/wall-time.ts';
import { CodedError } from '../core/errors.ts';
import type { Json, Payload } from '../core/record.ts';
import type { Warn } from './coerce.ts';
import { DAY_END, type Moment } from './time.ts';

type Values = Readonly<Record<string, Json>>;

/** The time of an event as wall time of the site. Dates YYYY-MM-DD, times HH:MM:SS; absent if the record has none. */
interface Span {
  date?: string;
  start?: string;
  endDate?: string;
  end?: string;
}

/** How the source writes the day on which an event ends. */
interface EndDay {
  is: 'absent' | 'day of the start' | 'other';
  /** Whether the source writes midnight as the time of the end. */
  atMidnight: boolean;
}

/** An event that ends before it starts may end on the next day if it then lasts no longer than this. */
const LONGEST_NIGHT_MS = 12 * 3_600_000;

const dayStart = '00:00:00';
const dayEnd = '23:59:59';

/**
 * Returns the payload of an event. The shorthands start, end and allDay become date, endDate and time, unless the map sets
 * these directly. docs/configuration.md describes the rules.
 * @throws CodedError FF_RECORD_REQUIRED for a required attribute without a value
 */
export function eventPayload(values: Values, warn: Warn, timeTypes: TimeTypes = {}): Payload {
  const { start: _start, end: _end, allDay: _allDay, ...attributes } = values;
  const { allDay, endDay, ...given } = spanOf(values, warn);
  const span = inOrder(pastMidnight(completed(given), endDay, warn), warn);
  const payload: Payload = {
    title: required('title', text(values.title)).trim(),
    date: span.date,
    endDate: span.endDate,
    isMultiDay: values.isMultiDay ?? span.endDate > span.date,
    spansMultipleDays: values.spansMultipleDays ?? span.endDate > span.date,
    time: { start: span.start, end: span.end, type: text(values['time.type']) ?? timeType(span, allDay, timeTypes) },
  };
  for (const [attribute, value] of Object.entries(attributes)) {
    if (!Object.hasOwn(payload, attribute) && !attribute.startsWith('time.')) payload[attribute] = value;
  }
  return payload;
}

/** Returns the payload of an account: its values, with texts in Unicode NFC so that equal names compare equal. */
export function accountPayload(values: Values): Payload {
  const payload: Payload = {};
  for (const [attribute, value] of Object.entries(values)) {
    payload[attribute] = typeof value === 'string' ? value.normalize('NFC') : value;
  }
  if (typeof payload.email === 'string') payload.email = payload.email.trim();
  return payload;
}

/** Returns the configured value; by default `timed`, the only value that the API documents. */
function timeType({ date, start, endDate, end }: Required<Span>, allDay: boolean, timeTypes: TimeTypes): string {
  if (allDay) return timeTypes.allDay ?? 'timed';
  const startOnly = date === endDate && start === end;
  return (startOnly ? timeTypes.startOnly : timeTypes.startEnd) ?? 'timed';
}

function spanOf(values: Values, warn: Warn): Span & { allDay: boolean; endDay: EndDay } {
  const start = moment(values.start);
  const end = moment(values.end);
  const allDay = isAllDay(values, start, end, warn);
  const span = allDay ? wholeDays(start, end) : timed(start, end);
  const date = text(values.date) ?? span.date;
  const given = { start: text(values['time.start']), end: text(values['time.end']) };
  const startsNextDay = given.start === DAY_END && !allDay;
  return {
    allDay,
    endDay: { is: endDayOf(text(values.endDate), date, start, end), atMidnight: isMidnight(given.end, end) },
    date: startsNextDay && date !== undefined ? addDays(date, 1) : date,
    endDate: text(values.endDate) ?? span.endDate,
    start: allDay || startsNextDay ? dayStart : (given.start ?? span.start),
    end: allDay || given.end === DAY_END ? dayEnd : (given.end ?? span.end),
  };
}

function endDayOf(endDate: string | undefined, date?: string, start?: Moment, end?: Moment): EndDay['is'] {
  if (endDate !== undefined) return endDate === date ? 'day of the start' : 'other';
  if (end === undefined) return 'absent';
  return writtenDay(end) === (start === undefined ? date : writtenDay(start)) ? 'day of the start' : 'other';
}

function isMidnight(time: string | undefined, end: Moment | undefined): boolean {
  return (time ?? (end?.is === 'time' ? end.written.time : undefined)) === dayStart;
}

function writtenDay(moment: Moment): string {
  return moment.is === 'time' ? wholeDayOf(moment).date : moment.date;
}

/** Days are not converted between zones, unless only the site's zone makes them whole: local midnight in UTC. */
function wholeDayOf({ written, date, time }: Moment & { is: 'time' }): { date: string; time: string } {
  const isEdge = (clock: string) => clock === dayStart || clock.startsWith('23:59');
  return isEdge(time) && !isEdge(written.time) ? { date, time } : written;
}

/** start and end are Moments, or null if explicitly empty. */
function moment(value: Json | undefined): Moment | undefined {
  return typeof value === 'object' && value !== null && 'is' in value ? (value as Moment) : undefined;
}

/** Dates without times are whole days, regardless of `allDay`. */
function isAllDay(values: Values, start: Moment | undefined, end: Moment | undefined, warn: Warn): boolean {
  if (values.allDay === true) return true;
  if (isMoment(start, dayStart) && isMoment(end, dayStart) && start?.date === end?.date) return true;
  const first = text(values['time.start']);
  const isOneDay = text(values.endDate) === undefined || text(values.endDate) === (text(values.date) ?? start?.date);
  if (first === dayStart && text(values['time.end']) === dayStart && isOneDay && end === undefined) return true;
  const hasTime = end?.is === 'time' || first !== undefined;
  if (start?.is !== 'day' || hasTime) return false;
  if (values.allDay === false) warn('allDay: is false, but start has no time; treated as all-day');
  return true;
}

/** A program that has only days writes midnight for both ends. */
function isMoment(moment: Moment | undefined, time: string): boolean {
  return moment?.is === 'time' && moment.time === time;
}

/** The day in the feed counts. */
function wholeDays(start: Moment | undefined, end: Moment | undefined): Span {
  const date = start && writtenDay(start);
  if (!end) return { date };
  const last = end.is === 'time' ? lastMoment(wholeDayOf(end), date) : end;
  return { date, endDate: last.date };
}

function timed(start: Moment | undefined, end: Moment | undefined): Span {
  const first = start && { date: start.date, start: start.is === 'time' ? start.time : dayStart };
  if (!end) return { ...first };
  // A day does not say at what time of it the event ends.
  if (end.is === 'day') return { ...first, endDate: end.date };
  const last = lastMoment(end, start?.date, first?.start);
  return { ...first, endDate: last.date, end: last.time };
}

/** An end is exclusive, so midnight belongs to the day before, unless the event would end before it starts. */
function lastMoment(end: { date: string; time: string }, startDate?: string, startTime = dayStart) {
  const endsAtMidnight = end.time === dayStart && startDate !== undefined && end.date > startDate;
  if (!endsAtMidnight) return end;
  const previous = addDays(end.date, -1);
  return `${previous}T${dayEnd}` >= `${startDate}T${startTime}` ? { date: previous, time: dayEnd } : end;
}

/** Without an end, an event ends when it starts. */
function completed(span: Span): Required<Span> {
  const date = required('date', span.date);
  const start = required('time.start', span.start);
  return { date, start, endDate: span.endDate ?? date, end: span.end ?? start };
}

/** An event from 22:00 to 02:00 ends on the next day, and one until 00:00 at the end of its day. */
function pastMidnight(span: Required<Span>, { is, atMidnight }: EndDay, warn: Warn): Required<Span> {
  const { date, start, endDate, end } = span;
  const lacks = Date.parse(`${date}T${start}Z`) - Date.parse(`${endDate}T${end}Z`);
  if (is === 'other' || lacks <= 0 || lacks > DAY) return span;
  if (!atMidnight && DAY - lacks > LONGEST_NIGHT_MS) return span;
  const nextDay = addDays(endDate, 1);
  const night = end === dayStart ? { ...span, endDate, end: dayEnd } : { ...span, endDate: nextDay };
  if (is === 'day of the start') {
    warn(`end: ${end} is before the start, ${start}, on the same day; the event is set to end ${shownEnd(night)}`);
  }
  return night;
}

function shownEnd({ endDate, end }: Required<Span>): string {
  return end === dayEnd ? 'at midnight' : `on ${endDate}`;
}

function inOrder(span: Required<Span>, warn: Warn): Required<Span> {
  const { date, start, endDate, end } = span;
  if (endDate < date) {
    warn(`end: ${endDate} is before the start, ${date}; the event is set to end on the day it starts`);
    return { ...span, endDate: date, end: end === dayEnd ? end : start };
  }
  if (endDate > date || end >= start) return span;
  warn(`end: ${end} is before the start, ${start}; the event is set to end when it starts`);
  return { ...span, end: start };
}

function required(attribute: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new CodedError('FF_RECORD_REQUIRED', `${attribute}: has no value; every event needs one`);
}

/** Absent and empty texts are treated alike: these attributes of an event cannot be empty. */
function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
