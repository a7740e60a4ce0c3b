import { namedZone, parseOffset, toWallTime, utc, type Zone } from '../../../src/core/dates/zone.ts';
import { CodedError } from '../../../src/core/errors.ts';
import { type Property, unescapeText, valuesOf, wordOf } from '../parse/property.ts';
import type { Budget } from '../rules/expand.ts';
import { parseRule, type Rule } from '../rules/rule.ts';
import {
  type DateOrTime,
  type Duration,
  durationUntil,
  noDuration,
  parseDateOrTime,
  parseDuration,
  type TimeSpan,
  type ZoneOf,
} from '../time/date-time.ts';
import { resolveZone } from '../zones/zones.ts';
import type { EventComponent } from './components.ts';
import { readTime } from './event-time.ts';

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
  /** The event could not be read: it only takes the place of an instance of its series. */
  isUnread?: true;
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
  warn: (message: string, kind?: string) => void;
}

/** @throws CodedError FF_RECORD_DATE or FF_RECORD_MALFORMED if the event has to be rejected */
export function readEvent(component: EventComponent, context: EventContext): CalendarEvent {
  const { at, properties, calendar } = component;
  const zoneOf = zonesOf(component, context);
  const moment = (property: Property) => parseDateOrTime(property, property.value, zoneOf);
  const { start, duration } = readTime(properties, moment, context);
  const override = overrideProperty(properties);
  warnOfLanguages(properties, context.warn);
  return {
    at,
    properties,
    start,
    duration,
    recurrenceId: override && moment(override),
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
    return { at, properties, ...time, sequence: sequenceOf(properties), cancelled: true, isUnread: true };
  } catch (error) {
    if (error instanceof CodedError) return undefined;
    throw error;
  }
}

function overrideProperty(properties: readonly Property[]): Property | undefined {
  return properties.find(({ name, value }) => name === 'RECURRENCE-ID' && value.trim() !== '');
}

/** Texts that occur once. Some programs repeat them, one for each language. */
const texts = ['SUMMARY', 'DESCRIPTION', 'LOCATION'];

function warnOfLanguages(properties: readonly Property[], warn: EventContext['warn']): void {
  for (const name of texts) {
    const all = properties.filter((property) => property.name === name);
    if (all.length < 2 || new Set(all.map(({ value }) => value)).size < 2) continue;
    const languages = all.flatMap(({ params }) => params.get('LANGUAGE') ?? []);
    const shown = languages.length > 0 ? ` (LANGUAGE ${languages.join(', ')})` : '';
    warn(`${name} appears ${all.length} times${shown}; the first is published`, `repeated ${name}`);
  }
}

function sequenceOf(properties: readonly Property[]): number {
  return Number.parseInt(wordOf(properties, 'SEQUENCE') ?? '', 10) || 0;
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
  const rules = (name: string) =>
    valuesOf(properties, name).flatMap((value) => (value === '' ? [] : parseRule(value, context)));
  const listed = (wanted: string) =>
    properties.flatMap((property) => {
      // vCalendar 1.0 separates dates with semicolons.
      const values = property.name === wanted ? property.value.split(/[,;]/).map((value) => value.trim()) : [];
      return values.filter((value) => value !== '').map((value) => ({ property, value }));
    });
  return {
    rules: rules('RRULE'),
    exceptRules: rules('EXRULE'),
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
  const warned = new Set<string>();
  const warnOnce = (message: string) => {
    if (!warned.has(message)) warn(message);
    warned.add(message);
  };
  return (tzid) => {
    const label = unescapeText(tzid ?? calendar.timezone ?? '').trim();
    if (label === '') return floatingZone(calendar, timezone, warnOnce);
    if (!zones.has(label)) zones.set(label, resolveZone(label, timezone, timezones.get(label)));
    const zone = zones.get(label);
    if (zone === undefined) warnOnce(`unknown time zone "${label.slice(0, 100)}"; ${timezone} is used`);
    return zone ?? namedZone(timezone);
  };
}

/** Returns the zone of the source, unless a calendar of version 1.0 says that its own has another offset. */
function floatingZone(
  { version, winterOffset }: EventComponent['calendar'],
  timezone: string,
  warn: (message: string) => void,
): Zone {
  const source = namedZone(timezone);
  const offset = version === '1.0' && winterOffset ? parseOffset(winterOffset) : undefined;
  const sourceOffset = Math.min(...[Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)].map((day) => source.offsetAt(day)));
  if (offset === undefined || offset === sourceOffset) return source;
  const advice = 'If clocks change there in summer, set source.timezone to its zone';
  warn(`times without a zone are read with the offset ${winterOffset} of the calendar (TZ). ${advice}`);
  return { offsetAt: () => offset };
}
