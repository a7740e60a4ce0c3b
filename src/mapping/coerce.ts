import type { AttributeKind } from '../core/attributes.ts';
import { clean, isUnclean } from '../core/clean.ts';
import { CodedError } from '../core/errors.ts';
import type { Json } from '../core/record.ts';
import { showValue } from './text.ts';
import { isDate, type Moment, parseMoment, parseTime, type Zones } from './time.ts';
import { yesNoReader } from './words.ts';

type Coercion = (value: unknown, warn: (message: string) => void) => Json;

/** How a value that is present and not empty becomes what an attribute of each kind takes. */
export type Coercions = Readonly<Record<AttributeKind, Coercion>>;

/** The coercions, which throw CodedError FF_RECORD_VALUE or FF_RECORD_DATE. A moment becomes a Moment in the site's zone. */
export function coercionsFor(zones: Zones): Coercions {
  return {
    string: toText,
    boolean: yesNoReader(),
    date: toDate,
    time: toTime,
    moment: (value) => toMoment(value, zones),
    json: (value, warn) => toJson(value, warn, 0),
  };
}

/** Whether a value is there but says nothing: null, blank text, or a list of nothing. */
export function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === null || (Array.isArray(value) && value.length === 0);
}

interface Conversion {
  kind: AttributeKind;
  coercions: Coercions;
  warn: (message: string) => void;
}

/**
 * What an attribute takes for a value, in the three ways that docs/mapping.md tells: what is absent (undefined) stays so,
 * what is empty clears the attribute, and anything else is coerced.
 * @throws CodedError FF_RECORD_VALUE or FF_RECORD_DATE
 */
export function convert(value: unknown, { kind, coercions, warn }: Conversion): Json | undefined {
  if (value === undefined) return undefined;
  return isBlank(value) ? emptyOf(kind, value) : coercions[kind](value, warn);
}

/** The error with the name of its attribute before it. Passwords do not show in messages. */
export function blame(attribute: string, error: CodedError, origin = ''): CodedError {
  if (attribute === 'password') return new CodedError(error.code, `password: the value does not fit${origin}`);
  return new CodedError(error.code, `${attribute}: ${error.message}${origin}`, { cause: error });
}

/** An explicit empty clears the attribute. A blank cell of a yes/no column means no. */
function emptyOf(kind: AttributeKind, value: unknown): Json {
  if (kind === 'string') return '';
  return kind === 'boolean' && typeof value === 'string' ? false : null;
}

function toText(value: unknown, warn: (message: string) => void): string {
  if (typeof value === 'string') return cleaned(value, warn);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    const items = value.filter((item) => item !== undefined && !isBlank(item));
    return items.map((item) => toText(item, warn)).join(', ');
  }
  throw new CodedError('FF_RECORD_VALUE', `${showValue(value)} is not a text`);
}

function cleaned(text: string, warn: (message: string) => void): string {
  if (isUnclean(text)) warn('NUL or broken characters were removed');
  return clean(text);
}

function toDate(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (!isDate(text)) throw new CodedError('FF_RECORD_DATE', `${showValue(value)} is not a date (YYYY-MM-DD)`);
  return text;
}

function toTime(value: unknown): string {
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  if (time === undefined) throw new CodedError('FF_RECORD_DATE', `${showValue(value)} is not a time (HH:MM)`);
  return time;
}

function toMoment(value: unknown, zones: Zones): Moment {
  const moment = typeof value === 'string' ? parseMoment(value, zones) : undefined;
  if (!moment) throw new CodedError('FF_RECORD_DATE', `${showValue(value)} is not a date or date-time (ISO 8601)`);
  return moment;
}

/** Deeper data has no place in an attribute, and would overflow the stack. */
const deepest = 50;

function toJson(value: unknown, warn: (message: string) => void, depth: number): Json {
  if (typeof value === 'string') return cleaned(value, warn);
  if (value === null || typeof value === 'boolean') return value;
  // JSON has no zero below zero.
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0;
  if (typeof value === 'bigint') return String(value);
  if (depth >= deepest) throw new CodedError('FF_RECORD_VALUE', `the value is nested more than ${deepest} deep`);
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : toJson(item, warn, depth + 1)));
  if (typeof value === 'object') {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(entries.map(([name, item]) => [cleaned(name, warn), toJson(item, warn, depth + 1)]));
  }
  throw new CodedError('FF_RECORD_VALUE', `${showValue(value)} is nothing that JSON can carry`);
}
