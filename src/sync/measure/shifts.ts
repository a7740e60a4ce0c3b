import type { Payload } from '../../core/record.ts';
import { valueAt } from '../items/values.ts';

const MINUTE_MS = 60_000;
const HOUR = 60;
const DAY = 24 * HOUR;

/** By how much an event has moved. */
export interface Shift {
  /** Such as "+1 hour" or "+1 year". */
  text: string;
  /** Absent: whole days or years. */
  minutes?: number;
}

/** Returns by how much an event has moved; undefined: it has not moved, or has no day, or only its first day. */
export function shiftOf(before: Payload, after: Payload): Shift | undefined {
  const [from, to] = [momentOf(before), momentOf(after)];
  if (from === undefined || to === undefined || from === to) return undefined;
  const [day, last] = [valueAt(after, 'date'), valueAt(after, 'endDate')];
  // A source may list today as the first day of an exhibition.
  const keepsEnd = last !== day && last !== null && last === valueAt(before, 'endDate');
  if (keepsEnd && day !== valueAt(before, 'date')) return undefined;
  const [old, current] = [new Date(from), new Date(to)];
  const years = current.getUTCFullYear() - old.getUTCFullYear();
  old.setUTCFullYear(current.getUTCFullYear());
  if (years !== 0 && old.getTime() === to) return { text: amount(years, 'year') };
  const minutes = (to - from) / MINUTE_MS;
  if (minutes % DAY === 0) return { text: amount(minutes / DAY, 'day') };
  return { text: minutes % HOUR === 0 ? amount(minutes / HOUR, 'hour') : amount(minutes, 'minute'), minutes };
}

/** Returns the day with day and month exchanged, as another format of dates reads it; undefined: that is no other day. */
export function exchanged(payload: Payload): string | undefined {
  const [, year, month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(String(valueAt(payload, 'date'))) ?? [];
  return day !== month && Number(day) <= 12 && year !== undefined ? `${year}-${day}-${month}` : undefined;
}

/** The wall time of a start in ms, as if the site were in UTC. */
function momentOf(payload: Payload): number | undefined {
  const [date, start] = [valueAt(payload, 'date'), valueAt(payload, 'time.start')];
  if (typeof date !== 'string') return undefined;
  const time = Date.parse(`${date}T${typeof start === 'string' && start !== '' ? start : '00:00'}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function amount(count: number, unit: string): string {
  return `${count > 0 ? '+' : '−'}${Math.abs(count)} ${unit}${Math.abs(count) === 1 ? '' : 's'}`;
}
