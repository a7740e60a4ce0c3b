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
import { namedZone, toWallTime, utc } from '../time/zone.ts';
import { resolveZone } from '../zones/zones.ts';
import type { Calendar, EventComponent } from './components.ts';

/** A parsed VEVENT: a single event, a series, or an override of an instance. */
export interface CalendarEvent {
  at: string;
  properties: readonly Property[];
  start: DateOrTime;
  duration: Duration;
  /** The instance of its series that it overrides. */
  recurrenceId?: DateOrTime;
  /** It overrides all later instances, too (RANGE=THISANDFUTURE). */
  thisAndFuture: boolean;
  sequence: number;
  cancelled: boolean;
  /** Upper case. Default: PUBLIC. */
  class: string;
  recurrence: Recurrence;
}

/** The properties that define a recurrence set (RFC 5545, 3.8.5). */
export interface Recurrence {
  rules: Rule[];
  exceptRules: Rule[];
  dates: Array<{ start: DateOrTime; duration?: Duration }>;
  exceptDates: DateOrTime[];
}

export interface EventContext {
  /** IANA zone of floating times and of unknown zones. */
  timezone: string;
  warn: (message: string) => void;
}

/** @throws CodedError FF_RECORD_DATE or FF_RECORD_MALFORMED if the event has to be rejected */
export function readEvent(component: EventComponent, { timezone, warn }: EventContext): CalendarEvent {
  const { at, properties, calendar } = component;
  const one = (name: string) => singleProperty(properties, name);
  const zoneOf = zonesOf(calendar, timezone, warn);
  const moment = (property: Property) => parseDateOrTime(property, property.value, zoneOf);

  const startProperty = one('DTSTART');
  if (startProperty === undefined) throw new CodedError('FF_RECORD_DATE', 'DTSTART is missing');
  const start = moment(startProperty);
  const endProperty = one('DTEND');
  const duration = endProperty ? durationUntil(start, moment(endProperty)) : durationOf(one('DURATION'), start);
  const override = overrideProperty(properties);
  return {
    at,
    properties,
    start,
    ...(override ? { recurrenceId: moment(override) } : {}),
    duration: notNegative(duration, warn),
    thisAndFuture: override?.params.get('RANGE')?.toUpperCase() === 'THISANDFUTURE',
    sequence: sequenceOf(properties),
    cancelled: wordOf(properties, 'STATUS') === 'CANCELLED' || calendar.method === 'CANCEL',
    class: wordOf(properties, 'CLASS') ?? 'PUBLIC',
    recurrence: recurrenceOf(properties, start, zoneOf),
  };
}

/**
 * Reads an override that `readEvent` rejects as a cancelled one, because its instance is not as the series has it. Returns
 * undefined if the event is not an override, or its RECURRENCE-ID cannot be read.
 */
export function readAsCancelledOverride(
  { at, properties, calendar }: EventComponent,
  { timezone, warn }: EventContext,
): CalendarEvent | undefined {
  const override = overrideProperty(properties);
  if (override === undefined) return undefined;
  try {
    const recurrenceId = parseDateOrTime(override, override.value, zonesOf(calendar, timezone, warn));
    const recurrence = { rules: [], exceptRules: [], dates: [], exceptDates: [] };
    const known = { at, properties, recurrenceId, recurrence, sequence: sequenceOf(properties), class: 'PUBLIC' };
    return { ...known, start: recurrenceId, duration: noDuration, thisAndFuture: false, cancelled: true };
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}

function overrideProperty(properties: readonly Property[]): Property | undefined {
  return properties.find(({ name, value }) => name === 'RECURRENCE-ID' && value.trim() !== '');
}

/** A later revision of an event has a higher number (RFC 5545, 3.8.7.4). */
function sequenceOf(properties: readonly Property[]): number {
  return Number.parseInt(wordOf(properties, 'SEQUENCE') ?? '', 10) || 0;
}

function wordOf(properties: readonly Property[], wanted: string): string | undefined {
  const property = properties.find(({ name }) => name === wanted);
  return property?.value.trim().toUpperCase();
}

function singleProperty(properties: readonly Property[], name: string): Property | undefined {
  const [first, second] = properties.filter((property) => property.name === name);
  if (second) throw new CodedError('FF_RECORD_MALFORMED', `${name} appears more than once`);
  return first;
}

function durationOf(property: Property | undefined, start: DateOrTime): Duration {
  return property ? parseDuration(property.value, start) : noDuration;
}

function notNegative(duration: Duration, warn: (message: string) => void): Duration {
  if (duration.days >= 0 && duration.ms >= 0) return duration;
  warn('the end is before the start; the event ends when it starts');
  return noDuration;
}

function recurrenceOf(properties: readonly Property[], start: DateOrTime, zoneOf: ZoneOf): Recurrence {
  const named = (name: string) => properties.filter((property) => property.name === name);
  const zone = start.is === 'time' ? start.zone : utc;
  const wallTimeOfUtc = (instant: number) => toWallTime(instant, zone);
  const context = { start: start.wall, isDate: start.is === 'date', wallTimeOfUtc };
  const rules = (name: string) => named(name).map(({ value }) => parseRule(value, context));
  const listed = (name: string) =>
    named(name).flatMap((property) => splitList(property.value).map((value) => ({ property, value })));
  return {
    rules: rules('RRULE'),
    exceptRules: rules('EXRULE'),
    dates: listed('RDATE').map(({ property, value }) => readRecurrenceDate(property, value, start, zoneOf)),
    exceptDates: listed('EXDATE').map(({ property, value }) => parseDateOrTime(property, value, zoneOf)),
  };
}

/** Reads an RDATE: a date, a time, or a period with its own end or duration (RFC 5545, 3.8.5.2). */
function readRecurrenceDate(
  property: Property,
  value: string,
  seriesStart: DateOrTime,
  zoneOf: ZoneOf,
): { start: DateOrTime; duration?: Duration } {
  const [first = '', end] = value.split('/', 2);
  const start = parseDateOrTime(property, first, zoneOf);
  if (end === undefined) return { start };
  const isDuration = /^[+-]?P/i.test(end);
  const duration = isDuration
    ? parseDuration(end, start)
    : durationUntil(start, parseDateOrTime(property, end, zoneOf));
  // In an all-day series, a period still means whole days.
  return seriesStart.is === 'date' || duration.ms < 0 ? { start } : { start, duration };
}

function splitList(value: string): string[] {
  const items = value.split(',').map((item) => item.trim());
  return items.filter((item) => item !== '');
}

/** Resolves TZIDs and floating times. An unknown zone is replaced by the source's, with a warning. */
function zonesOf(calendar: Calendar, timezone: string, warn: (message: string) => void): ZoneOf {
  const unknown = new Set<string>();
  return (tzid) => {
    const label = (tzid ?? calendar.timezone)?.trim() ?? '';
    if (label === '') return namedZone(timezone);
    const zone = resolveZone(label, calendar.timezones.get(label));
    if (zone === undefined && !unknown.has(label)) {
      warn(`unknown time zone "${label.slice(0, 100)}"; ${timezone} is used`);
      unknown.add(label);
    }
    return zone ?? namedZone(timezone);
  };
}
