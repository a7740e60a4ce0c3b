import { type AttributeKind, attributeKinds } from '../core/attributes.ts';
import { isUnclean, readable } from '../core/clean.ts';
import { isIsoDate } from '../core/dates/iso-date.ts';
import { isTimeOfSheet, SHEET_TIME } from '../core/dates/no-day.ts';
import { CodedError } from '../core/errors.ts';
import type { Json } from '../core/record.ts';
import { mojibakeIn } from '../core/text/mojibake.ts';
import { checkDay, formatHint } from './dates.ts';
import { showValue } from './text.ts';
import { type Moment, parseMoment, parseTime, type Zones } from './time.ts';
import { yesNoReader } from './words.ts';

/**
 * @param kind of the warning, if one for all records is enough
 * @param value that is counted in it
 */
export type Warn = (message: string, kind?: string, value?: string) => void;

/** Functions that convert a present, non-empty value for an attribute of each kind. */
export type Coercions = Readonly<Record<AttributeKind, (value: unknown, warn: Warn) => Json>>;

/** Creates the coercions, which throw CodedError FF_RECORD_VALUE or FF_RECORD_DATE. Moments are in the site's zone. */
export function coercionsFor(zones: Zones): Coercions {
  return {
    string: toText,
    html: toText,
    boolean: yesNoReader(),
    date: toDate,
    time: toTime,
    moment: (value) => toMoment(value, zones),
    json: (value, warn) => toJson(value, warn, 0),
  };
}

/** Returns whether a value is absent or empty: null, blank text, or an empty list. */
export function hasNoValue(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/**
 * Converts a value for its attribute. An absent value (undefined) stays absent, an empty value clears the attribute, any other
 * value is coerced.
 * @throws CodedError FF_RECORD_VALUE or FF_RECORD_DATE
 */
export function convert(value: unknown, kind: AttributeKind, coercions: Coercions, warn: Warn): Json | undefined {
  if (value === undefined) return undefined;
  if (!hasNoValue(value)) return coercions[kind](Array.isArray(value) ? onlyValue(value, kind) : value, warn);
  // A blank cell of a yes/no column means no.
  return kind === 'boolean' && typeof value === 'string' ? false : attributeKinds[kind].cleared;
}

/** Returns the only value of a list for an attribute that takes one. Texts are joined, and a custom attribute takes a list. */
function onlyValue(list: readonly unknown[], kind: AttributeKind): unknown {
  if (kind === 'json' || kind === 'string' || kind === 'html') return list;
  const [value, ...others] = new Set(list.filter((item) => !hasNoValue(item)));
  if (others.length === 0) return value;
  const count = others.length + 1;
  throw new CodedError(
    kind === 'boolean' ? 'FF_RECORD_VALUE' : 'FF_RECORD_DATE',
    `${showValue(list)} has ${count} values, but one is needed. To take the first one, add [0] to the field`,
  );
}

/** Adds the attribute to warnings of a function, and attribute and origin to its errors. Those of passwords show no value. */
export function inAttribute<T>(attribute: string, origin: string, warn: Warn, run: (warn: Warn) => T): T {
  try {
    return run((message, kind, value) => {
      if (attribute === 'password') warn('password: the value may not be what is meant', 'password');
      else warn(`${attribute}: ${message}${kind ? origin : ''}`, kind && `${attribute}: ${kind}`, value);
    });
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    if (attribute === 'password') throw new CodedError(error.code, `password: the value is not valid${origin}`);
    throw new CodedError(error.code, `${attribute}: ${error.message}${origin}`, { cause: error });
  }
}

function toText(value: unknown, warn: Warn): string {
  if (typeof value === 'string') return cleaned(value, warn);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)) {
    const items = value.filter((item) => !hasNoValue(item));
    return items.map((item) => toText(item, warn)).join(', ');
  }
  throw new CodedError('FF_RECORD_VALUE', `${showValue(value)} is not text`);
}

function cleaned(text: string, warn: Warn): string {
  if (isUnclean(text)) warn('invalid characters were removed');
  const mojibake = mojibakeIn(text);
  if (mojibake !== undefined) warn(mojibake);
  return readable(text);
}

function toDate(value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : '';
  if (!isIsoDate(text))
    throw new CodedError(
      'FF_RECORD_DATE',
      `${showValue(value)} is not a date (YYYY-MM-DD)${formatHint(value, 'date')}`,
    );
  checkDay(text, value);
  return text;
}

function toTime(value: unknown): string {
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  if (time === undefined && isTimeOfSheet(String(value)))
    throw new CodedError('FF_RECORD_DATE', `${showValue(value)} ${SHEET_TIME}`);
  if (time === undefined)
    throw new CodedError('FF_RECORD_DATE', `${showValue(value)} is not a time (HH:MM)${formatHint(value, 'time')}`);
  return time;
}

function toMoment(value: unknown, zones: Zones): Moment {
  const text = typeof value === 'string' ? value.trim() : '';
  const moment = parseMoment(text, zones);
  if (moment) {
    checkDay(moment.is === 'time' ? moment.written.date : moment.date, value);
    return moment;
  }
  const isIso = /^\d{4}-\d{2}-\d{2}/.test(text);
  const expected = isIso ? 'an existing date or time' : `a date or date-time (ISO 8601)${formatHint(value, 'moment')}`;
  throw new CodedError('FF_RECORD_DATE', `${showValue(value)} is not ${expected}`);
}

/** Deeper data would overflow the stack. */
const deepest = 50;

function toJson(value: unknown, warn: Warn, depth: number): Json {
  if (typeof value === 'string') return cleaned(value, warn);
  if (value === null || typeof value === 'boolean') return value;
  // JSON has no negative zero.
  if (typeof value === 'number' && Number.isFinite(value)) return value + 0;
  if (typeof value === 'bigint') return String(value);
  if (depth >= deepest) throw new CodedError('FF_RECORD_VALUE', `the value is nested more than ${deepest} levels deep`);
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : toJson(item, warn, depth + 1)));
  if (typeof value === 'object') {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    return Object.fromEntries(entries.map(([name, item]) => [cleaned(name, warn), toJson(item, warn, depth + 1)]));
  }
  throw new CodedError('FF_RECORD_VALUE', `${showValue(value)} cannot be represented in JSON`);
}
