import { CodedError } from '../../../src/core/errors.ts';
import type { Property } from '../parse/property.ts';
import { parseRule, type Rule } from '../rules/rule.ts';
import {
  type DateOrTime,
  type Duration,
  durationUntil,
  noDuration,
  parseDateOrTime,
  parseDuration,
  type ZoneOf,
} from '../time/date-time.ts';
import { namedZone, toWallTime } from '../time/zone.ts';
import { resolveZone } from '../zones/zones.ts';
import type { Calendar, EventComponent } from './components.ts';

/** One VEVENT, understood: a single event, a series, or an instance of one. */
export interface CalendarEvent {
  at: string;
  properties: readonly Property[];
  start: DateOrTime;
  length: Duration;
  /** The instance of its series that it takes the place of. */
  recurrenceId?: DateOrTime;
  /** It takes the place of all later instances too (RANGE=THISANDFUTURE). */
  andFuture: boolean;
  sequence: number;
  cancelled: boolean;
  /** Upper case; PUBLIC unless the event says otherwise. */
  class: string;
  recurrence: Recurrence;
}

/** What makes the recurrence set of a series (RFC 5545, 3.8.5). */
export interface Recurrence {
  rules: Rule[];
  exceptRules: Rule[];
  dates: Array<{ start: DateOrTime; length?: Duration }>;
  exceptDates: DateOrTime[];
}

export interface EventContext {
  /** IANA zone of floating times and of zones that nobody knows. */
  timezone: string;
  warn: (message: string) => void;
}

const utc = namedZone('UTC');

/** @throws CodedError FF_RECORD_DATE or FF_RECORD_MALFORMED: the event is rejected. */
export function readEvent(
  { at, properties, calendar }: EventComponent,
  { timezone, warn }: EventContext,
): CalendarEvent {
  const one = (name: string) => onlyProperty(properties, name);
  const zoneOf = zonesOf(calendar, timezone, warn);
  const when = (property: Property) => parseDateOrTime(property, property.value, utc, zoneOf);

  const startProperty = one('DTSTART');
  if (startProperty === undefined) throw new CodedError('FF_RECORD_DATE', 'DTSTART is missing');
  const start = when(startProperty);
  const endProperty = one('DTEND');
  const length = endProperty ? durationUntil(start, when(endProperty)) : durationOf(one('DURATION'), start);
  const change = changeProperty(properties);
  const recurrenceId = change && when(change);
  return {
    at,
    properties,
    start,
    length: forwards(length, warn),
    ...(recurrenceId ? { recurrenceId } : {}),
    andFuture: change?.params.get('RANGE')?.toUpperCase() === 'THISANDFUTURE',
    sequence: sequenceOf(properties),
    cancelled: wordOf(properties, 'STATUS') === 'CANCELLED' || calendar.method === 'CANCEL',
    class: wordOf(properties, 'CLASS') ?? 'PUBLIC',
    recurrence: recurrenceOf(properties, start, zoneOf),
  };
}

/**
 * An event that cannot be read, but for the instance that it changes: that one is not as its series says, so it counts as
 * cancelled. Undefined where it changes none that can be told.
 */
export function readAsCancelledOverride(
  raw: EventComponent,
  { timezone, warn }: EventContext,
): CalendarEvent | undefined {
  const { at, properties, calendar } = raw;
  const change = changeProperty(properties);
  if (change === undefined) return undefined;
  try {
    const recurrenceId = parseDateOrTime(change, change.value, utc, zonesOf(calendar, timezone, warn));
    const recurrence = { rules: [], exceptRules: [], dates: [], exceptDates: [] };
    const known = { at, properties, recurrenceId, recurrence, sequence: sequenceOf(properties), class: 'PUBLIC' };
    return { ...known, start: recurrenceId, length: noDuration, andFuture: false, cancelled: true };
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}

function changeProperty(properties: readonly Property[]): Property | undefined {
  return properties.find(({ name, value }) => name === 'RECURRENCE-ID' && value.trim() !== '');
}

/** The later revision of an event has the higher number (RFC 5545, 3.8.7.4). */
function sequenceOf(properties: readonly Property[]): number {
  return Number.parseInt(properties.find(({ name }) => name === 'SEQUENCE')?.value ?? '', 10) || 0;
}

function wordOf(properties: readonly Property[], wanted: string): string | undefined {
  return properties
    .find(({ name }) => name === wanted)
    ?.value.trim()
    .toUpperCase();
}

function onlyProperty(properties: readonly Property[], name: string): Property | undefined {
  const [first, second] = properties.filter((property) => property.name === name);
  if (second) throw new CodedError('FF_RECORD_MALFORMED', `${name} stands more than once`);
  return first;
}

function durationOf(property: Property | undefined, start: DateOrTime): Duration {
  return property ? parseDuration(property.value, start) : noDuration;
}

function forwards(length: Duration, warn: (message: string) => void): Duration {
  if (length.days >= 0 && length.ms >= 0) return length;
  warn('it ends before it starts; its end is taken to be its start');
  return noDuration;
}

function recurrenceOf(properties: readonly Property[], start: DateOrTime, zoneOf: ZoneOf): Recurrence {
  const named = (name: string) => properties.filter((property) => property.name === name);
  const zone = start.is === 'time' ? start.zone : utc;
  const context = { start: start.wall, isDate: start.is === 'date', wallOfUtc: (at: number) => toWallTime(at, zone) };
  const rules = (name: string) => named(name).map(({ value }) => parseRule(value, context));
  const listed = (name: string) =>
    named(name).flatMap((property) => splitList(property.value).map((value) => ({ property, value })));
  return {
    rules: rules('RRULE'),
    exceptRules: rules('EXRULE'),
    dates: listed('RDATE').map(({ property, value }) => readExtra(property, value, start, zoneOf)),
    exceptDates: listed('EXDATE').map(({ property, value }) => parseDateOrTime(property, value, utc, zoneOf)),
  };
}

/** An RDATE: a date, a time, or a period with an end or a duration of its own (RFC 5545, 3.8.5.2). */
function readExtra(
  property: Property,
  value: string,
  seriesStart: DateOrTime,
  zoneOf: ZoneOf,
): { start: DateOrTime; length?: Duration } {
  const [first = '', end] = value.split('/', 2);
  const start = parseDateOrTime(property, first, utc, zoneOf);
  if (end === undefined) return { start };
  const length = /^[+-]?P/i.test(end)
    ? parseDuration(end, start)
    : durationUntil(start, parseDateOrTime(property, end, utc, zoneOf));
  // A period in an all-day series still means whole days.
  return seriesStart.is === 'date' || length.ms < 0 ? { start } : { start, length };
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The zone of a TZID, or of a floating time; what is not known is in the source's own zone, with a warning. */
function zonesOf(calendar: Calendar, timezone: string, warn: (message: string) => void): ZoneOf {
  const unknown = new Set<string>();
  return (tzid) => {
    const label = (tzid ?? calendar.timezone)?.trim() ?? '';
    if (label === '') return namedZone(timezone);
    const zone = resolveZone(label, calendar.timezones.get(label));
    if (zone === undefined && !unknown.has(label)) {
      warn(`time zone "${label.slice(0, 100)}" is not known; ${timezone} is used`);
      unknown.add(label);
    }
    return zone ?? namedZone(timezone);
  };
}
