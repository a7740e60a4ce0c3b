import { DAY, toIsoDay } from '../../src/core/dates/wall-time.ts';
import { formatInstant, type Zone } from '../../src/core/dates/zone.ts';
import type { Occurrence, SourceRecord } from '../../src/core/record.ts';
import type { CalendarEvent } from './events/event.ts';
import { endOf, instantOf, lengthOf } from './time/date-time.ts';
import { daysOf } from './time/window.ts';

/**
 * Makes the record of an event or occurrence from the properties of its VEVENT and its time: dates as YYYY-MM-DD with the last
 * day inclusive, times as RFC 9557 in the event's own zone.
 * @param identity `key`: the field `uid`, made from UID and RECURRENCE-ID; `uid`: the UID as written in the feed
 */
export function eventRecord(
  { uid, key, occurrence }: { uid: string; key: string; occurrence: Occurrence },
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
  return {
    ...{ at, occurrence },
    fields: { ...fieldsOf(properties), ...time, allDay, showOnAllDates, uid: key, series: uid, ...more },
  };
}
