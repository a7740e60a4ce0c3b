import { isUnfilled } from '../../core/attributes.ts';
import { isObject, UNKNOWN } from '../../core/record.ts';
import { htmlText, isHtml } from '../../core/text/html-text.ts';
import type { DifferenceView } from '../../queries/views/shared.ts';
import { type Html, html } from './html.ts';
import { isWebAddress, webLink } from './link.ts';

/** A value of an attribute or field; undefined: there is none. */
export type Value = DifferenceView['from'];

const weekdays = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' });

/** Returns a value as people read it, not as JSON; empty: it has no text. */
export function readableText(value: Value): string {
  if (value === UNKNOWN) return 'unknown';
  if (typeof value === 'string') return readableString(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(readableText).filter(Boolean).join(', ');
  if (!isObject(value)) return '';
  if (typeof value.src === 'string') return value.src;
  if (typeof value.start === 'string') return hours(value.start, value.end, value.type);
  const parts = Object.entries(value).map(([name, part]) => [name, readableText(part as Value)] as const);
  return parts.flatMap(([name, text]) => (text === '' ? [] : `${name}: ${text}`)).join('\n');
}

/** Returns whether two values read the same. Values that are not set are the same as "no". */
export function readSame(one: Value, other: Value): boolean {
  return (isUnfilled(one) && isUnfilled(other)) || readableText(one) === readableText(other);
}

/** A value of an attribute or field, as a reader sees it. */
export function valueText(value: Value): Html {
  const text = readableText(value);
  if (text === '') return html`<span class="muted">empty</span>`;
  if (isWebAddress(text)) return html`${webLink(text)}`;
  return html`<span class="value">${text}</span>`;
}

/** A small picture that leads to the whole one. Browsers load it when it comes into view, and tell its server no address. */
export function thumbnail(address: string, alt: string): Html {
  return html`<a class="thumbnail" href="${address}" target="_blank" rel="noreferrer noopener"><img src="${address}" alt="${alt}" loading="lazy" referrerpolicy="no-referrer" width="160" height="120"><span class="unseen"> (opens a new tab)</span></a>`;
}

function readableString(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) {
    return `${weekdays.format(new Date(text))} ${text}`;
  }
  if (/^\d\d:\d\d:\d\d$/.test(text)) return text.slice(0, 5);
  return isHtml(text) ? htmlText(text) : text.trim();
}

/** Events of whole days are delivered from midnight to the last second. */
function hours(start: string, end: unknown, type: unknown): string {
  const kind = typeof type === 'string' && type !== '' && type !== 'timed' ? ` (${type})` : '';
  if (start.startsWith('00:00') && typeof end === 'string' && end.startsWith('23:59')) return `all day${kind}`;
  const until = typeof end === 'string' && end !== '' && end !== start ? ` – ${end.slice(0, 5)}` : '';
  return `${start.slice(0, 5)}${until}${kind}`;
}
