import type { Payload } from '../core/record.ts';
import { asObject, asText } from './resource.ts';

/** Returns a clock of the site's wall time, as ISO text without a zone: "2026-05-04T09:30:00". Such texts sort like times. */
export function siteClock(timezone: string, now: () => number): () => string {
  // Swedish dates are ISO dates.
  const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  return () => wall.format(now()).replace(' ', 'T');
}

/** The flags of an event's time. */
const timeKinds = ['isAllDay', 'isStartEnd', 'isStartOnly', 'isTba', 'isNoTime'] as const;

/**
 * Derives attributes from an event's days and time: the time.is* flags, of which exactly one is true, and whether the
 * event is past or today. `wallTime` is the site's, as ISO text without a zone.
 */
export function eventTime(data: Payload, wallTime: string) {
  const kind = timeKind(data);
  const isKind: Payload = Object.fromEntries(timeKinds.map((name) => [name, name === kind]));
  const first = asText(data.date);
  const last = asText(data.endDate) ?? first;
  if (!first || !last) return { isKind, when: { isPastEvent: false, isToday: false } };
  const today = wallTime.slice(0, 10);
  const isPastEvent = `${last}T${lastMoment(data)}` < wallTime;
  return { isKind, when: { isPastEvent, isToday: first <= today && today <= last } };
}

/** Returns the kind of an event's time: given by its type, or else by which of start and end are set. */
function timeKind(data: Payload): (typeof timeKinds)[number] {
  const time = asObject(data.time);
  const [start, end] = [asText(time?.start), asText(time?.end)];
  const type = (asText(time?.type) ?? '').toLowerCase().replace(/[^a-z]/g, '');
  if (type === 'tba') return 'isTba';
  if (type === 'allday' || (start === '00:00:00' && end === '23:59:59')) return 'isAllDay';
  if (type === 'notime' || type === 'none' || !start) return 'isNoTime';
  return end ? 'isStartEnd' : 'isStartOnly';
}

/** Returns when an event is over on its last day: at its end; at the end of the day if it has no end or ends past midnight. */
function lastMoment(data: Payload): string {
  const time = asObject(data.time);
  const [start, end] = [asText(time?.start) ?? '', asText(time?.end) ?? ''];
  const endsThatDay = timeKind(data) === 'isStartEnd' && (end >= start || data.endDate !== data.date);
  return endsThatDay ? end : '23:59:59';
}
