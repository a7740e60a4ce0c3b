import { CodedError } from '../../../src/core/errors.ts';
import { DAY } from '../time/wall-time.ts';

/** The parts of a rule by name, upper case. */
export type RuleParts = ReadonlyMap<string, string>;

const number = String.raw`[+-]?\d{1,3}`;
const days = 'SU|MO|TU|WE|TH|FR|SA';

const oneOf = (pattern: string) => new RegExp(`^(?:${pattern})$`);
const listOf = (pattern: string, least = 0, most = 0) => ({ pattern: oneOf(pattern), least, most });

/** RFC 5545, 3.3.10, and RFC 7529. */
const single: Record<string, RegExp> = {
  FREQ: oneOf('SECONDLY|MINUTELY|HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY'),
  INTERVAL: /^0*[1-9]\d{0,8}$/,
  COUNT: /^0*[1-9]\d{0,14}$/,
  UNTIL: /^\d{8}(T\d{6}Z?)?$/,
  WKST: oneOf(days),
  RSCALE: oneOf('GREGORIAN|CHINESE|HEBREW|INDIAN'),
  SKIP: oneOf('OMIT|BACKWARD|FORWARD'),
};
const lists: Record<string, { pattern: RegExp; least: number; most: number }> = {
  BYSECOND: listOf(number, 0, 60),
  BYMINUTE: listOf(number, 0, 59),
  BYHOUR: listOf(number, 0, 23),
  BYDAY: listOf(`(?:[+-]?(?:[1-9]|[1-4]\\d|5[0-3]))?(?:${days})`),
  BYMONTHDAY: listOf(number, -31, 31),
  BYYEARDAY: listOf(number, -366, 366),
  BYWEEKNO: listOf(number, -53, 53),
  BYMONTH: listOf(`${number}L?`, 1, 13),
  BYSETPOS: listOf(number, -366, 366),
};
/** FREQ in ms, months and years at their longest. */
export const units: Record<string, number> = {
  SECONDLY: 1000,
  MINUTELY: 60_000,
  HOURLY: DAY / 24,
  DAILY: DAY,
  WEEKLY: 7 * DAY,
  MONTHLY: 31 * DAY,
  YEARLY: 366 * DAY,
};

const neverZero = new Set(['BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYSETPOS']);

/**
 * Reads the parts of a rule. Case and blanks do not matter; what means nothing in a rule of its kind is left out.
 * @throws CodedError FF_RECORD_MALFORMED
 */
export function parseRuleParts(text: string, isDate: boolean): Map<string, string> {
  const parts = splitParts(text);
  if (isDate) onlyDays(parts);
  onlyWeekdays(parts);
  return parts;
}

function splitParts(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.replace(/\s/g, '').toUpperCase().split(';')) {
    const [name = '', value = ''] = part.split('=', 2);
    if (part === '' || name.startsWith('X-')) continue;
    if (parts.has(name)) throw ruleError(text, `${name} stands more than once`);
    if (!isValid(name, value)) throw ruleError(text, `${part.slice(0, 40)} is not allowed`);
    parts.set(name, value);
  }
  if (!parts.has('FREQ')) throw ruleError(text, 'FREQ is missing');
  return parts;
}

/** A series of days has no times (RFC 5545, 3.3.10): what says something of them is ignored, and no step is less than a day. */
function onlyDays(parts: Map<string, string>): void {
  for (const name of ['BYHOUR', 'BYMINUTE', 'BYSECOND']) parts.delete(name);
  const unit = units[parts.get('FREQ') ?? ''] ?? DAY;
  if (unit >= DAY) return;
  parts.set('INTERVAL', String(Math.max(1, Math.round((unit * Number(parts.get('INTERVAL') ?? 1)) / DAY))));
  parts.set('FREQ', 'DAILY');
}

/** Numbers before weekdays mean something only in monthly and yearly rules. */
function onlyWeekdays(parts: Map<string, string>): void {
  const byDay = parts.get('BYDAY');
  if (byDay === undefined || /MONTHLY|YEARLY/.test(parts.get('FREQ') ?? '')) return;
  parts.set('BYDAY', byDay.replace(/[+-]?\d+/g, ''));
}

function isValid(name: string, value: string): boolean {
  if (Object.hasOwn(single, name)) return single[name]?.test(value) ?? false;
  const list = Object.hasOwn(lists, name) ? lists[name] : undefined;
  return (
    list?.pattern !== undefined &&
    value.split(',').every((item) => {
      if (!list.pattern.test(item)) return false;
      const size = Number.parseInt(item, 10);
      if (list.least === list.most) return true;
      return size >= list.least && size <= list.most && !(size === 0 && neverZero.has(name));
    })
  );
}

export function ruleError(text: string, why: string): CodedError {
  return new CodedError('FF_RECORD_MALFORMED', `the rule "${text.slice(0, 100)}" cannot be read: ${why}`);
}
