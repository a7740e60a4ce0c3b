import { DAY, midnightOf, type WallTime } from '../../../src/core/dates/wall-time.ts';
import { namedZone, toWallTime, utc } from '../../../src/core/dates/zone.ts';
import { CodedError } from '../../../src/core/errors.ts';
import { type Property, wordOf } from '../parse/property.ts';
import {
  type DateOrTime,
  durationUntil,
  instantOf,
  noDuration,
  parseDuration,
  type TimeSpan,
} from '../time/date-time.ts';

interface TimeContext {
  /** IANA zone of the source. */
  timezone: string;
  warn: (message: string) => void;
}

/**
 * Reads the time of an event from DTSTART, and DTEND or DURATION.
 * @throws CodedError FF_RECORD_DATE or FF_RECORD_MALFORMED
 */
export function readTime(
  properties: readonly Property[],
  moment: (property: Property) => DateOrTime,
  context: TimeContext,
): TimeSpan {
  const startProperty = singleProperty(properties, 'DTSTART');
  if (startProperty === undefined) throw new CodedError('FF_RECORD_DATE', 'DTSTART is missing');
  const written = moment(startProperty);
  const start = startOf(startProperty, written, properties, context);
  const endProperty = singleProperty(properties, 'DTEND');
  const end = endProperty && endOf(endProperty, moment(endProperty), { start, written }, context);
  const given = endProperty ? undefined : singleProperty(properties, 'DURATION');
  const duration = end ? durationUntil(start, end) : parseDuration(given?.value ?? 'PT0S', start);
  const isNegative = duration.days < 0 || duration.ms < 0;
  if (isNegative) context.warn('the end is before the start; the event ends when it starts');
  return { start, duration: isNegative ? noDuration : duration };
}

/**
 * Returns the start as a day if VALUE=DATE says so, or if it is a midnight of an all-day event of Outlook. VALUE=DATE makes a day
 * of any time.
 */
function startOf(
  property: Property,
  start: DateOrTime,
  properties: readonly Property[],
  { timezone, warn }: TimeContext,
): DateOrTime {
  const isOutlookDay = wordOf(properties, 'X-MICROSOFT-CDO-ALLDAYEVENT') === 'TRUE';
  if (start.is === 'date' || !(isDay(property) || isOutlookDay)) return start;
  const midnight = midnightIn(start, timezone);
  if (midnight || !isDay(property)) return midnight ?? start;
  warn(`DTSTART is a day by its VALUE=DATE; the time in "${property.value.slice(0, 60)}" is ignored`);
  return { is: 'date', wall: midnightOf(start.wall) };
}

/**
 * Returns the end. If the start is a day, a midnight is a day, and a time in UTC is read on the clock of the source.
 * @param starts the start, also with the time that it is written with, which VALUE=DATE ignores
 */
function endOf(
  property: Property,
  given: DateOrTime,
  { start, written }: { start: DateOrTime; written: DateOrTime },
  { timezone, warn }: TimeContext,
): DateOrTime {
  const end = start.is === 'date' ? endOfDays(property, given, written, timezone) : given;
  if (end.is !== start.is) warn(`DTSTART is a ${start.is}, but DTEND a ${end.is}`);
  return end;
}

function endOfDays(property: Property, end: DateOrTime, start: DateOrTime, timezone: string): DateOrTime {
  const midnight = midnightIn(end, timezone);
  if (midnight || end.is === 'date') return midnight ?? end;
  const wall = end.zone === utc ? toWallTime(instantOf(end), namedZone(timezone)) : end.wall;
  if (!isDay(property)) return { ...end, wall };
  // A whole number of days after the start, the event has ended; at any other time, its last day is not over.
  const isOver = start.is === 'time' && timeOfDay(end.wall) === timeOfDay(start.wall);
  return { is: 'date', wall: midnightOf(wall) + (isOver ? 0 : DAY) };
}

function timeOfDay(wall: WallTime): number {
  return wall - midnightOf(wall);
}

function isDay({ params }: Property): boolean {
  return params.get('VALUE')?.trim().toUpperCase() === 'DATE';
}

/** Returns the day that begins at a midnight, which is written in the zone of the time or of the source. */
function midnightIn(moment: DateOrTime, timezone: string): DateOrTime | undefined {
  if (moment.is === 'date') return moment;
  const walls = [moment.wall, toWallTime(instantOf(moment), namedZone(timezone))];
  const midnight = walls.find((wall) => wall === midnightOf(wall));
  return midnight === undefined ? undefined : { is: 'date', wall: midnight };
}

function singleProperty(properties: readonly Property[], name: string): Property | undefined {
  const [first, second] = properties.filter((property) => property.name === name);
  if (second) throw new CodedError('FF_RECORD_MALFORMED', `${name} appears more than once`);
  return first;
}
