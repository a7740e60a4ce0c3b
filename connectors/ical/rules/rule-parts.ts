import { DAY } from '../../../src/core/dates/wall-time.ts';
import { CodedError } from '../../../src/core/errors.ts';

/** The parts of a recurrence rule by name, upper case. */
export type RuleParts = ReadonlyMap<string, string>;

const number = String.raw`[+-]?\d{1,3}`;
const days = 'SU|MO|TU|WE|TH|FR|SA';

const oneOf = (pattern: string) => new RegExp(`^(?:${pattern})$`);

/** Parts with one value (RFC 5545, 3.3.10). Of RFC 7529, only the usual values are supported. */
const single: Record<string, RegExp> = {
  FREQ: oneOf('SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY'),
  INTERVAL: /^0*[1-9]\d{0,8}$/,
  COUNT: /^0*[1-9]\d{0,14}$/,
  UNTIL: /^\d{4}-?\d{2}-?\d{2}/,
  WKST: oneOf(days),
  RSCALE: oneOf('GREGORIAN'),
  SKIP: oneOf('OMIT'),
};

/** Parts with a list of values, and their range. */
const lists: Record<string, { pattern: RegExp; least?: number; most?: number }> = {
  BYSECOND: { pattern: oneOf(number), least: 0, most: 60 },
  BYMINUTE: { pattern: oneOf(number), least: 0, most: 59 },
  BYHOUR: { pattern: oneOf(number), least: 0, most: 23 },
  BYDAY: { pattern: oneOf(`(?:[+-]?(?:[1-9]|[1-4]\\d|5[0-3]))?(?:${days})`) },
  BYMONTHDAY: { pattern: oneOf(number), least: -31, most: 31 },
  BYYEARDAY: { pattern: oneOf(number), least: -366, most: 366 },
  BYWEEKNO: { pattern: oneOf(number), least: -53, most: 53 },
  BYMONTH: { pattern: oneOf(number), least: 1, most: 13 },
  BYSETPOS: { pattern: oneOf(number), least: -366, most: 366 },
};

/** Length of a period by FREQ, in ms; for months and years, the longest. */
export const frequencyMs: Record<string, number> = {
  SECONDLY: 1000,
  MINUTELY: 60_000,
  HOURLY: DAY / 24,
  DAILY: DAY,
  WEEKLY: 7 * DAY,
  MONTHLY: 31 * DAY,
  YEARLY: 366 * DAY,
};

const VERSION_1 = 'it is a rule of vCalendar 1.0, which is not supported. Export the calendar as iCalendar 2.0';
const OTHER_CALENDAR = 'counts in another calendar (RFC 7529), which is not supported. List the dates with RDATE';

/**
 * Parses and checks the parts of a rule. Case and white space do not matter. A part without a
 * value is absent. Parts without a meaning in this rule are removed.
 * @throws CodedError FF_RECORD_MALFORMED
 */
export function parseRuleParts(text: string, isDate: boolean): Map<string, string> {
  const parts = new Map<string, string>();
  if (/^\s*[A-Z]+\d/i.test(text)) throw ruleError(text, VERSION_1);
  for (const part of text.replace(/\s/g, '').toUpperCase().split(';')) {
    const [name = '', values = ''] = part.split('=', 2);
    const value = values.replace(/,(?=,|$)|^,+/g, '');
    if (part === '' || name.startsWith('X-') || (value === '' && isKnown(name))) continue;
    if (parts.has(name)) throw ruleError(text, `${name} appears more than once`);
    if (!isValid(name, value))
      throw ruleError(text, `${part.slice(0, 40)} ${/^(RSCALE|SKIP)$/.test(name) ? OTHER_CALENDAR : 'is not allowed'}`);
    parts.set(name, value);
  }
  if (!parts.has('FREQ')) throw ruleError(text, 'FREQ is missing');
  if (isDate) removeTimes(parts);
  removeOrdinals(parts);
  return parts;
}

/** Removes times from a series of dates (RFC 5545, 3.3.10): ignores parts for times, and makes an interval at least a day. */
function removeTimes(parts: Map<string, string>): void {
  for (const name of ['BYHOUR', 'BYMINUTE', 'BYSECOND']) parts.delete(name);
  const unit = frequencyMs[parts.get('FREQ') ?? ''] ?? DAY;
  if (unit >= DAY) return;
  parts.set('INTERVAL', String(Math.max(1, Math.round((unit * Number(parts.get('INTERVAL') ?? 1)) / DAY))));
  parts.set('FREQ', 'DAILY');
}

/** Removes the numbers before weekdays, which only have a meaning in monthly and yearly rules. */
function removeOrdinals(parts: Map<string, string>): void {
  const byDay = parts.get('BYDAY');
  if (byDay === undefined || /MONTHLY|YEARLY/.test(parts.get('FREQ') ?? '')) return;
  parts.set('BYDAY', byDay.replace(/[+-]?\d+/g, ''));
}

function isKnown(name: string): boolean {
  return Object.hasOwn(single, name) || Object.hasOwn(lists, name);
}

function isValid(name: string, value: string): boolean {
  if (!isKnown(name)) return false;
  const list = lists[name];
  if (list === undefined) return single[name]?.test(value) ?? false;
  const { pattern, least, most = 0 } = list;
  const isAllowed = (size: number) =>
    least === undefined || (size >= least && size <= most && (size !== 0 || least === 0));
  return value.split(',').every((item) => pattern.test(item) && isAllowed(Number.parseInt(item, 10)));
}

export function ruleError(text: string, reason: string): CodedError {
  return new CodedError('FF_RECORD_MALFORMED', `the recurrence rule "${text.slice(0, 100)}" is invalid: ${reason}`);
}
