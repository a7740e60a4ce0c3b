import { isIsoDate } from '../dates/iso-date.ts';
import { htmlText, isHtml } from '../html/html-text.ts';
import { isObject, type Json, UNKNOWN } from '../record.ts';

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Returns the value of an attribute or field as people read it, not as JSON; empty: it has no text. */
export function readableText(value: Json | undefined): string {
  if (value === UNKNOWN) return 'unknown';
  if (typeof value === 'string') return readableString(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(readableText).filter(Boolean).join(', ');
  if (isEventTime(value)) return hours(value);
  if (!isObject(value)) return '';
  if (typeof value.src === 'string') return value.src;
  const parts = Object.entries(value).map(([name, part]) => [name, readableText(part as Json)] as const);
  return parts.flatMap(([name, text]) => (text === '' ? [] : `${name}: ${text}`)).join('\n');
}

interface Time {
  start: string;
  end?: Json;
  type?: Json;
}

/** Returns whether a value is the time of an event. */
export function isEventTime(value: unknown): value is Time {
  return isObject(value) && typeof value.start === 'string' && /^\d\d:\d\d/.test(value.start);
}

function readableString(text: string): string {
  if (isIsoDate(text)) return `${WEEKDAYS[new Date(text).getUTCDay()]} ${text}`;
  if (/^\d\d:\d\d:\d\d$/.test(text)) return text.slice(0, 5);
  return isHtml(text) ? htmlText(text) : text.trim();
}

/** Events of whole days are delivered from midnight to the last second. */
function hours({ start, end, type }: Time): string {
  const kind = typeof type === 'string' && type !== '' && type !== 'timed' ? ` (${type})` : '';
  if (start.startsWith('00:00') && typeof end === 'string' && end.startsWith('23:59')) return `all day${kind}`;
  const until = typeof end === 'string' && end !== '' && end !== start ? ` – ${end.slice(0, 5)}` : '';
  return `${start.slice(0, 5)}${until}${kind}`;
}
