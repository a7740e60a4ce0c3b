import { midnightOf } from '../../../src/core/dates/wall-time.ts';
import { namedZone, toWallTime, utc } from '../../../src/core/dates/zone.ts';
import { CodedError } from '../../../src/core/errors.ts';
import { type Property, unescapeText, valuesOf } from '../parse/property.ts';
import type { Budget } from '../rules/expand.ts';
import { parseRule, type Rule } from '../rules/rule.ts';
import {
  type DateOrTime,
  type Duration,
  durationUntil,
  instantOf,
  noDuration,
  parseDateOrTime,
  parseDuration,
  type TimeSpan,
  type ZoneOf,
} from '../time/date-time.ts';
import { resolveZone } from '../zones/zones.ts';
import type { EventComponent } from './components.ts';

/** A parsed VEVENT: a single event, a series, or an override of an instance. */
export interface CalendarEvent extends TimeSpan {
  at: string;
  properties: readonly Property[];
  /** The instance of the series that this event overrides. */
  recurrenceId?: DateOrTime;
  /** Whether the event also overrides all later instances (RANGE=THISANDFUTURE). */
  thisAndFuture: boolean;
  /** A later revision of an event has a higher number (RFC 5545, 3.8.7.4). */
  sequence: number;
  cancelled: boolean;
  /** CLASS in upper case. */
  class?: string;
  recurrence: Recurrence;
}

/** The properties that define a recurrence set (RFC 5545, 3.8.5). */
interface Recurrence {
  rules: Rule[];
  exceptRules: Rule[];
  dates: Array<{ start: DateOrTime; duration?: Duration }>;
  exceptDates: DateOrTime[];
  /** Whether DTSTART is in the set even if no rule has this date. */
  hasStart: boolean;
}

interface EventContext {
  /** IANA zone of floating times and of unknown zones. */
  timezone: string;
  /** Whether DTSTART is an occurrence even if no rule has this date. */
  publishesStart: boolean;
  budget: Budget;
  warn: (message: string) => void;
}

/** @throws CodedError FF_RECORD_DATE or FF_RECORD_MALFORMED if the event has to be rejected */
export function readEvent(component: EventComponent, context: EventContext): CalendarEvent {
  const { at, properties, calendar } = component;
  const zoneOf = zonesOf(component, context);
  const moment = (property: Property) => parseDateOrTime(property, property.value, zoneOf);

  const startProperty = singleProperty(properties, 'DTSTART');
  if (startProperty === undefined) throw new CodedError('FF_RECORD_DATE', 'DTSTART is missing');
  const toDay = wordOf(properties, 'X-MICROSOFT-CDO-ALLDAYEVENT') === 'TRUE' ? dayReader(context.timezone) : undefined;
  const givenStart = moment(startProperty);
  const start = toDay?.(givenStart) ?? givenStart;
  const endProperty = singleProperty(properties, 'DTEND');
  const given = endProperty ? undefined : singleProperty(properties, 'DURATION');
  const givenEnd = endProperty && moment(endProperty);
  const end = (givenEnd && start.is === 'date' && toDay?.(givenEnd)) || givenEnd;
  if (end && end.is !== start.is) context.warn(`DTSTART is a ${start.is}, but DTEND a ${end.is}`);
  const duration = end ? durationUntil(start, end) : parseDuration(given?.value ?? 'PT0S', start);
  const isNegative = duration.days < 0 || duration.ms < 0;
  if (isNegative) context.warn('the end is before the start; the event ends when it starts');
  const override = overrideProperty(properties);
  return {
    at,
    properties,
    start,
    recurrenceId: override && moment(override),
    duration: isNegative ? noDuration : duration,
    thisAndFuture: override?.params.get('RANGE')?.toUpperCase() === 'THISANDFUTURE',
    sequence: sequenceOf(properties),
    cancelled: wordOf(properties, 'STATUS') === 'CANCELLED' || calendar.method === 'CANCEL',
    class: wordOf(properties, 'CLASS'),
    recurrence: recurrenceOf(properties, start, zoneOf, context),
  };
}

/**
 * Reads an override that `readEvent` rejects as a cancelled override, so that the series does not publish the original instance.
 * Returns undefined if the event is not an override, or its RECURRENCE-ID cannot be read.
 */
export function readAsCancelledOverride(component: EventComponent, context: EventContext): CalendarEvent | undefined {
  const { at, properties } = component;
  const override = overrideProperty(properties);
  if (override === undefined) return undefined;
  try {
    const recurrenceId = parseDateOrTime(override, override.value, zonesOf(component, context));
    const recurrence = { rules: [], exceptRules: [], dates: [], exceptDates: [], hasStart: false };
    const time = { start: recurrenceId, recurrenceId, duration: noDuration, thisAndFuture: false, recurrence };
    return { at, properties, ...time, sequence: sequenceOf(properties), cancelled: true };
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}

/** Reads the days of all-day events of Outlook, which writes them as midnights in the zone of the time or of the source. */
function dayReader(timezone: string): (moment: DateOrTime) => DateOrTime | undefined {
  return (moment) => {
    if (moment.is === 'date') return moment;
    const walls = [moment.wall, toWallTime(instantOf(moment), namedZone(timezone))];
    const midnight = walls.find((wall) => wall === midnightOf(wall));
    return midnight === undefined ? undefined : { is: 'date', wall: midnight };
  };
}

function overrideProperty(properties: readonly Property[]): Property | undefined {
  return properties.find(({ name, value }) => name === 'RECURRENCE-ID' && value.trim() !== '');
}

function sequenceOf(properties: readonly Property[]): number {
  return Number.parseInt(wordOf(properties, 'SEQUENCE') ?? '', 10) || 0;
}

function wordOf(properties: readonly Property[], name: string): string | undefined {
  return valuesOf(properties, name)[0]?.toUpperCase();
}

function singleProperty(properties: readonly Property[], name: string): Property | undefined {
  const [first, second] = properties.filter((property) => property.name === name);
  if (second) throw new CodedError('FF_RECORD_MALFORMED', `${name} appears more than once`);
  return first;
}

function recurrenceOf(
  properties: readonly Property[],
  start: DateOrTime,
  zoneOf: ZoneOf,
  { publishesStart, budget }: EventContext,
): Recurrence {
  const zone = start.is === 'time' ? start.zone : utc;
  const wallTimeOfUtc = (instant: number) => toWallTime(instant, zone);
  const context = { start: start.wall, isDate: start.is === 'date', budget, wallTimeOfUtc };
  // Some programs write an empty RRULE if an event is not repeated.
  const rules = (name: string, countsStart: boolean) =>
    valuesOf(properties, name).flatMap((value) => (value === '' ? [] : parseRule(value, { ...context, countsStart })));
  const listed = (wanted: string) =>
    properties.flatMap((property) => {
      const values = property.name === wanted ? property.value.split(',').map((value) => value.trim()) : [];
      return values.filter((value) => value !== '').map((value) => ({ property, value }));
    });
  return {
    rules: rules('RRULE', publishesStart),
    exceptRules: rules('EXRULE', false),
    hasStart: publishesStart,
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
): Recurrence['dates'][number] {
  const [first = '', end] = value.split('/', 2);
  const start = parseDateOrTime(property, first, zoneOf);
  if (end === undefined) return { start };
  const duration = /^[+-]?P/i.test(end)
    ? parseDuration(end, start)
    : durationUntil(start, parseDateOrTime(property, end, zoneOf));
  // In an all-day series, a period still means whole days.
  return seriesStart.is === 'date' || duration.ms < 0 ? { start } : { start, duration };
}

/** Returns the zone of a TZID or of floating times. Replaces an unknown zone with the source's zone, with a warning. */
function zonesOf({ calendar }: EventComponent, { timezone, warn }: EventContext): ZoneOf {
  const { zones, timezones } = calendar;
  const unknown = new Set<string>();
  return (tzid) => {
    const label = unescapeText(tzid ?? calendar.timezone ?? '').trim();
    if (label === '') return namedZone(timezone);
    if (!zones.has(label)) zones.set(label, resolveZone(label, timezones.get(label)));
    const zone = zones.get(label);
    if (zone === undefined && !unknown.has(label)) {
      warn(`unknown time zone "${label.slice(0, 100)}"; ${timezone} is used`);
      unknown.add(label);
    }
    return zone ?? namedZone(timezone);
  };
}
