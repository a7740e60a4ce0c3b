import type { SourceRecord } from '../../src/core/record.ts';
import type { CalendarEvent } from './events/event.ts';
import type { IcalOptions } from './options.ts';
import { propertyFields } from './property-fields.ts';
import { instantOf } from './time/date-time.ts';
import { DAY, toIsoDay } from './time/wall-time.ts';
import { daysOf, endOf, type OccurrenceWindow } from './time/window.ts';
import { formatInstant } from './time/zone.ts';

/**
 * The record of one event or occurrence: the properties of its VEVENT, and when it is. `uid` is the key of the record, UID
 * and RECURRENCE-ID in one; `series` is the UID as the feed has it.
 */
export function eventRecord(
  series: string,
  key: string,
  event: CalendarEvent,
  { options, window }: { options: IcalOptions; window: OccurrenceWindow },
  more: Record<string, unknown> = {},
): SourceRecord {
  const fields = propertyFields(event.properties, options);
  return {
    at: event.at,
    fields: { ...fields, ...spanOf(event), showOnAllDates: lastsDays(event, window), uid: key, series, ...more },
  };
}

/** A day or longer, and on several days of the site: not an evening that goes on after midnight. */
function lastsDays({ start, length }: CalendarEvent, window: OccurrenceWindow): boolean {
  const [first, last] = daysOf(start, length, window.site);
  return last > first && (start.is === 'date' || length.days * DAY + length.ms >= DAY);
}

/** Dates as YYYY-MM-DD with the last day inclusive, times as RFC 9557 strings in the event's own zone. */
function spanOf({ start, length }: CalendarEvent): { start: string; end: string; allDay: boolean } {
  if (start.is === 'date') {
    const last = start.wall + Math.max(length.days - 1, 0) * DAY;
    return { start: toIsoDay(start.wall), end: toIsoDay(last), allDay: true };
  }
  const end = endOf(start, length);
  return { start: formatInstant(instantOf(start), start.zone), end: formatInstant(end, start.zone), allDay: false };
}
