import type { SourceRecord } from '../../src/core/record.ts';
import type { CalendarEvent } from './events/event.ts';
import type { IcalOptions } from './options.ts';
import { propertyFields } from './property-fields.ts';
import { instantOf } from './time/date-time.ts';
import { DAY, toIsoDay } from './time/wall-time.ts';
import { daysOf, endOf } from './time/window.ts';
import { formatInstant, type Zone } from './time/zone.ts';

/**
 * Makes the record of an event or occurrence: the properties of its VEVENT, and its time. Its `uid` is the key of the record,
 * from UID and RECURRENCE-ID; `series` is the UID as in the feed.
 */
export function eventRecord(
  series: string,
  key: string,
  event: CalendarEvent,
  { options, site }: { options: IcalOptions; site: Zone },
  more: Record<string, unknown> = {},
): SourceRecord {
  const fields = propertyFields(event.properties, options);
  const showOnAllDates = lastsDays(event, site);
  return { at: event.at, fields: { ...fields, ...timeOf(event), showOnAllDates, uid: key, series, ...more } };
}

/** Returns true for events of a day or longer that are on several days of the site: not for a party past midnight. */
function lastsDays({ start, duration }: CalendarEvent, site: Zone): boolean {
  const [first, last] = daysOf(start, duration, site);
  return last > first && (start.is === 'date' || duration.days * DAY + duration.ms >= DAY);
}

/** Dates as YYYY-MM-DD with the last day inclusive, times as RFC 9557 in the event's own zone. */
function timeOf({ start, duration }: CalendarEvent): { start: string; end: string; allDay: boolean } {
  if (start.is === 'date') {
    const last = start.wall + Math.max(duration.days - 1, 0) * DAY;
    return { start: toIsoDay(start.wall), end: toIsoDay(last), allDay: true };
  }
  const { zone } = start;
  const end = endOf(start, duration);
  return { start: formatInstant(instantOf(start), zone), end: formatInstant(end, zone), allDay: false };
}
