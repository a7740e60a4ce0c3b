import type { AttributeKind } from '../core/attributes.ts';
import { CodedError } from '../core/errors.ts';
import type { Json } from '../core/record.ts';
import { clean, isUnclean, show } from './text.ts';
import { isDate, type Moment, parseMoment, parseTime, type Zones } from './time.ts';

type Coercion = (value: unknown, warn: (message: string) => void) => Json;

/** How a value that is present and not empty becomes what an attribute of each kind takes. */
export type Coercions = Readonly<Record<AttributeKind, Coercion>>;

/** The coercions, which throw CodedError FF_RECORD_VALUE or FF_RECORD_DATE. A moment becomes a Moment in the site's zone. */
export function coercionsFor(zones: Zones): Coercions {
  return {
    string: toText,
    boolean: toBoolean,
    date: toDate,
    time: toTime,
    moment: (value) => toMoment(value, zones),
    json: (value, warn) => toJson(value, warn, 0),
  };
}

/** Whether a value is there but says nothing: null, blank text, or a list of nothing. */
export function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === null || (Array.isArray(value) && value.length === 0);
}

function toText(value: unknown, warn: (message: string) => void): string {
  if (typeof value === 'string') return cleaned(value, warn);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    const items = value.filter((item) => item !== undefined && !isEmpty(item));
    return items.map((item) => toText(item, warn)).join(', ');
  }
  throw new CodedError('FF_RECORD_VALUE', `${show(value)} is not a text`);
}

function cleaned(text: string, warn: (message: string) => void): string {
  if (isUnclean(text)) warn('NUL or broken characters were removed');
  return clean(text);
}

const words = new Map<string, boolean>([
  ...['true', 't', 'yes', 'y', '1', 'x', 'on'].map((word): [string, boolean] => [word, true]),
  ...['false', 'f', 'no', 'n', '0', 'off'].map((word): [string, boolean] => [word, false]),
]);

function toBoolean(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : '';
  const meaning = words.get(word);
  if (meaning === undefined) throw new CodedError('FF_RECORD_VALUE', `${show(value)} is neither true nor false`);
  return meaning;
}

function toDate(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (!isDate(text)) throw new CodedError('FF_RECORD_DATE', `${show(value)} is not a date (YYYY-MM-DD)`);
  return text;
}

function toTime(value: unknown): string {
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  if (time === undefined) throw new CodedError('FF_RECORD_DATE', `${show(value)} is not a time (HH:MM)`);
  return time;
}

function toMoment(value: unknown, zones: Zones): Moment {
  const moment = typeof value === 'string' ? parseMoment(value, zones) : undefined;
  if (!moment) throw new CodedError('FF_RECORD_DATE', `${show(value)} is not a date or date-time (ISO 8601)`);
  return moment;
}

/** Deeper data has no place in an attribute, and would overflow the stack. */
const deepest = 50;

function toJson(value: unknown, warn: (message: string) => void, depth: number): Json {
  if (typeof value === 'string') return cleaned(value, warn);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'bigint') return String(value);
  if (depth >= deepest) throw new CodedError('FF_RECORD_VALUE', `the value is nested more than ${deepest} deep`);
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : toJson(item, warn, depth + 1)));
  if (typeof value === 'object') {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(entries.map(([name, item]) => [cleaned(name, warn), toJson(item, warn, depth + 1)]));
  }
  throw new CodedError('FF_RECORD_VALUE', `${show(value)} is nothing that JSON can carry`);
}
