import { DAY, toIsoDay } from '../../src/core/dates/wall-time.ts';
import { formatInstant, type Zone } from '../../src/core/dates/zone.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import type { CalendarEvent } from './events/event.ts';
import { endOf, instantOf, lengthOf } from './time/date-time.ts';
import { daysOf } from './time/window.ts';

/**
 * Makes the record of an event or occurrence from the properties of its VEVENT and its time: dates as YYYY-MM-DD with the last
 * day inclusive, times as RFC 9557 in the event's own zone.
 * @param identity `key`: the field `uid`, made from UID and RECURRENCE-ID; `series`: the UID as written in the feed; `slot`: see
 * `Occurrence`
 */
export function eventRecord(
  { series, key, slot }: { series: string; key: string; slot: string },
  event: CalendarEvent,
  { fieldsOf, site }: { fieldsOf: (properties: CalendarEvent['properties']) => object; site: Zone },
  more: Record<string, unknown> = {},
): SourceRecord {
  const { at, properties, start, duration } = event;
  const [first, last] = daysOf(event, site);
  const allDay = start.is === 'date';
  const time = allDay
    ? { start: toIsoDay(first), end: toIsoDay(last) }
    : { start: formatInstant(instantOf(start), start.zone), end: formatInstant(endOf(event), start.zone) };
  // A party past midnight is on two days, but is shorter than a day.
  const showOnAllDates = last > first && (allDay || lengthOf(duration) >= DAY);
  const occurrence = { series: unsplit(series), slot };
  return {
    ...{ at, occurrence },
    fields: { ...fieldsOf(properties), ...time, allDay, showOnAllDates, uid: key, series, ...more },
  };
}

/**
 * Returns the UID that a series had before it was split. If an organiser changes "this and all following events", Google
 * ends the series and begins another one, whose UID says from when on: `abc_R20270119T170000@google.com`.
 */
function unsplit(uid: string): string {
  return uid.replace(/_R\d{8}(?:T\d{6}Z?)?(?=@[^@]*$|$)/, '');
}
