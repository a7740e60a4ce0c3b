import type { FieldRule } from '../config/types.ts';
import type { AttributeKind } from '../core/attributes.ts';
import { splitRange } from '../core/dates/ranges.ts';
import { CodedError } from '../core/errors.ts';
import { UNLISTED } from '../core/record.ts';
import { hasNoValue, type Warn } from './coerce.ts';
import { dateReader } from './dates.ts';
import { showValue } from './text.ts';
import type { Zones } from './time.ts';
import { normalWord, yesNoReader } from './words.ts';

type Step = (value: unknown, warn: Warn) => unknown;

/**
 * Compiles the steps of a rule, in the order of its keys. Each item of a list takes the steps separately; absent and
 * empty values take none. The compiled steps throw CodedError FF_RECORD_LOOKUP, FF_RECORD_VALUE or FF_RECORD_DATE.
 */
export function compileSteps(rule: FieldRule, kind: AttributeKind, zones: Zones): Step {
  const steps: Step[] = [];
  const { lookup, join } = rule;
  if (rule.trim) steps.push(eachItem(trim));
  if (rule.empty) steps.push(eachItem(emptied(rule.empty)));
  if (rule.split !== undefined) steps.push(splitter(rule.split));
  // A table that is a sheet has to be read before.
  if (typeof lookup === 'object') steps.push(eachItem((item, warn) => lookUp(item, lookup, rule.default, warn)));
  if (rule.range) steps.push(eachItem(endOfRange(rule.range)));
  if (rule.true || rule.false) steps.push(eachItem(yesNoReader(rule.true, rule.false)));
  if (rule.format) steps.push(eachItem(dateReader(rule, kind, zones)));
  if (rule.case) steps.push(eachItem(inText(cases[rule.case])));
  if (join !== undefined) steps.push((value) => (Array.isArray(value) ? joined(value, join) : withoutParts(value)));
  if (steps.length === 0) return (value) => value;
  return (value, warn) => steps.reduce((current, step) => (hasNoValue(current) ? current : step(current, warn)), value);
}

function endOfRange(end: 'first' | 'last'): Step {
  return inText((text) => splitRange(text).at(end === 'first' ? 0 : -1) ?? text);
}

function eachItem(step: Step): Step {
  const apply: Step = (value, warn) => {
    if (Array.isArray(value)) return value.map((item) => apply(item, warn));
    return hasNoValue(value) ? value : step(value, warn);
  };
  return apply;
}

function inText(change: (text: string) => string): Step {
  return (value) => (typeof value === 'string' ? change(value) : withoutParts(value));
}

/** @throws CodedError FF_RECORD_VALUE for an object in place of a text or number */
function withoutParts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  throw new CodedError('FF_RECORD_VALUE', `${showValue(value)} is not text`);
}

/** Makes words that stand for no value blank. */
function emptied(words: readonly string[]): Step {
  const known = new Set(words.map(normalWord));
  return (value) => (known.has(normalWord(withoutParts(value))) ? '' : value);
}

const trim = inText((text) => text.trim());

/** Splits texts into trimmed items, without empty ones. */
function splitter(separator: string): Step {
  return (value) =>
    (Array.isArray(value) ? value : [value]).flatMap((item: unknown) => {
      if (typeof item !== 'string') return [withoutParts(item)];
      const parts = item.split(separator).map((part) => part.trim());
      return parts.filter((part) => part !== '');
    });
}

function joined(items: readonly unknown[], separator: string): string {
  return items
    .filter((item) => !hasNoValue(item))
    .map((item) => String(withoutParts(item)))
    .join(separator);
}

function lookUp(
  value: unknown,
  table: Exclude<FieldRule['lookup'], string | undefined>,
  otherwise: FieldRule['default'],
  warn: Warn,
): unknown {
  const name = typeof value === 'object' ? undefined : String(value).trim();
  if (name !== undefined && Object.hasOwn(table, name)) return table[name];
  if (name !== undefined && otherwise !== undefined) {
    warn(UNLISTED, 'lookup', showValue(name));
    return otherwise;
  }
  throw new CodedError('FF_RECORD_LOOKUP', `${showValue(value)} is not in the lookup table`);
}

const cases: Record<NonNullable<FieldRule['case']>, (text: string) => string> = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  title: (text) =>
    text.replace(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu, (word) => {
      const [first = '', ...rest] = word;
      return first.toUpperCase() + rest.join('').toLowerCase();
    }),
};
