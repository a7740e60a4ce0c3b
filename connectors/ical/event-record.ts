import { DAY, toIsoDay } from '../../src/core/dates/wall-time.ts';
import { formatInstant, toInstant, type Zone } from '../../src/core/dates/zone.ts';
import type { Occurrence, SourceRecord } from '../../src/core/record.ts';
import type { CalendarEvent } from './events/event.ts';
import { LAST } from './time/basic-format.ts';
import { endOf, instantOf, lengthOf } from './time/date-time.ts';
import { daysOf } from './time/window.ts';

/** The instant at which an event ends, but at the latest when the calendar does, in the zones of the event and of the site. */
function lastInstant(event: CalendarEvent, site: Zone): number {
  const end = endOf(event);
  if (end < LAST - DAY || event.start.is === 'date') return end;
  return Math.min(end, toInstant(LAST, event.start.zone), toInstant(LAST, site));
}

/**
 * Makes the record of an event or occurrence from the properties of its VEVENT and its time: dates as YYYY-MM-DD with the last
 * day inclusive, times as RFC 9557 in the event's own zone.
 * @param identity `key`: the field `uid`, made from UID and RECURRENCE-ID; `uid`: the UID as written in the feed
 */
export function eventRecord(
  { uid, key, occurrence }: { uid: string; key: string; occurrence: () => Occurrence },
  event: CalendarEvent,
  { fieldsOf, site }: { fieldsOf: (properties: CalendarEvent['properties']) => object; site: Zone },
  more: Record<string, unknown> = {},
): SourceRecord {
  const { at, properties, start, duration } = event;
  const [first, last] = daysOf(event, site);
  const allDay = start.is === 'date';
  const time = allDay
    ? { start: toIsoDay(first), end: toIsoDay(last) }
    : { start: formatInstant(instantOf(start), start.zone), end: formatInstant(lastInstant(event, site), start.zone) };
  // A party past midnight is on two days, but is shorter than a day.
  const showOnAllDates = last > first && (allDay || lengthOf(duration) >= DAY);
  const fields = { ...fieldsOf(properties), ...time, allDay, showOnAllDates, uid: key, series: uid, ...more };
  return { at, fields, occurrence };
}
