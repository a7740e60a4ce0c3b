import ical, { type ICalEventData } from 'ical-generator';
import sanitizeHtml from 'sanitize-html';
import { Temporal } from 'temporal-polyfill';
import { addDays } from '../core/dates/iso-date.ts';
import type { Payload } from '../core/record.ts';
import { timeKind } from './event-time.ts';
import { asObject, asText } from './resource.ts';
import type { Item } from './store/store.ts';

/**
 * An event as an iCalendar file (RFC 5545): times in UTC, so that no VTIMEZONE is needed; days as DATE values with an
 * exclusive end. Undefined for an event without a date.
 */
export function calendarOf({ id, data }: Item, timezone: string): string | undefined {
  const when = times(data, timezone);
  if (!when) return undefined;
  const html = asText(data.description) ?? '';
  const description = html === '' ? null : { plain: plainText(html), html: sanitizeHtml(html) };
  const calendar = ical({ prodId: { company: 'feedferry', product: 'sandbox', language: 'EN' } });
  calendar.createEvent({
    id: `event-${id}@feedferry-sandbox`,
    summary: asText(data.title) ?? '',
    description,
    ...when,
  });
  return `${calendar.toString()}\r\n`;
}

function times(data: Payload, timezone: string): Pick<ICalEventData, 'start' | 'end' | 'allDay'> | undefined {
  const first = asText(data.date);
  if (!first) return undefined;
  const last = asText(data.endDate) ?? first;
  const time = asObject(data.time);
  const [start, end] = [asText(time?.start), asText(time?.end)];
  if (!start || !['isStartEnd', 'isStartOnly'].includes(timeKind(data))) {
    return { start: new Date(first), end: new Date(addDays(last, 1)), allDay: true };
  }
  const begins = wallToInstant(first, start, timezone);
  if (!end) return { start: begins };
  const pastMidnight = last === first && end < start;
  return { start: begins, end: wallToInstant(pastMidnight ? addDays(last, 1) : last, end, timezone) };
}

/** Returns the instant of a site's wall time. In a spring gap it moves forward, in an autumn fold it is the first (RFC 5545, 3.3.5). */
function wallToInstant(date: string, time: string, timezone: string): Date {
  return new Date(Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timezone).epochMilliseconds);
}

function plainText(html: string): string {
  const text = sanitizeHtml(html.replace(/<(br|\/p|\/div|\/li)\b[^>]*>/gi, '$&\n'), { allowedTags: [] });
  const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
  return text.replace(/&(amp|lt|gt|quot);/g, (entity) => characters[entity] ?? entity).trim();
}
