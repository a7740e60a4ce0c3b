import type { Payload } from '../core/record.ts';
import { asObject, asText } from './resource.ts';

interface TimeFlags {
  isAllDay: boolean;
  isStartEnd: boolean;
  isStartOnly: boolean;
  isTba: boolean;
  isNoTime: boolean;
}

/**
 * The attributes that the service derives from an event's days and time: the time.is* flags, of which exactly one is
 * true, and whether the event is past or today. `wallTime` is the site's, as ISO text without a zone.
 */
export function eventTime(
  data: Payload,
  wallTime: string,
): { parts: Record<keyof TimeFlags, boolean>; when: { isPastEvent: boolean; isToday: boolean } } {
  const parts = timeFlags(data);
  const first = asText(data.date);
  const last = asText(data.endDate) ?? first;
  if (!first || !last) return { parts, when: { isPastEvent: false, isToday: false } };
  const today = wallTime.slice(0, 10);
  return {
    parts,
    when: { isPastEvent: `${last}T${lastMoment(data, parts)}` < wallTime, isToday: first <= today && today <= last },
  };
}

/** The kind of an event's time: by its type if that says it, else by which of start and end are set. */
export function timeFlags(data: Payload): TimeFlags {
  const time = asObject(data.time);
  const [start, end] = [asText(time?.start), asText(time?.end)];
  const type = (asText(time?.type) ?? '').toLowerCase().replace(/[^a-z]/g, '');
  const wholeDay = start === '00:00:00' && end === '23:59:59';
  const flags = { isAllDay: false, isStartEnd: false, isStartOnly: false, isTba: false, isNoTime: false };
  if (type === 'tba') return { ...flags, isTba: true };
  if (type === 'allday' || wholeDay) return { ...flags, isAllDay: true };
  if (type === 'notime' || type === 'none' || !start) return { ...flags, isNoTime: true };
  return end ? { ...flags, isStartEnd: true } : { ...flags, isStartOnly: true };
}

/** When on its last day an event is over: at its end, else with the day. One that ends past midnight lasts that day. */
function lastMoment(data: Payload, flags: TimeFlags): string {
  const time = asObject(data.time);
  const [start, end] = [asText(time?.start) ?? '', asText(time?.end) ?? ''];
  const endsThatDay = flags.isStartEnd && (end >= start || data.endDate !== data.date);
  return endsThatDay ? end : '23:59:59';
}
