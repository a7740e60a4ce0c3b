import type { FieldRule } from '../config/types.ts';
import type { AttributeKind } from '../core/attributes.ts';
import { CodedError } from '../core/errors.ts';
import { isBlank } from './coerce.ts';
import { dateReader } from './dates.ts';
import { showValue } from './text.ts';
import type { Zones } from './time.ts';
import { yesNoReader } from './words.ts';

type Step = (value: unknown) => unknown;

/**
 * Compiles what a rule does to a value before the attribute takes it, in the order of FieldRule. Each item of a list goes
 * through the steps by itself; what is absent or empty goes through none. The compiled steps throw CodedError
 * FF_RECORD_LOOKUP, FF_RECORD_VALUE or FF_RECORD_DATE.
 */
export function compileSteps(rule: FieldRule, kind: AttributeKind, zones: Zones): Step {
  const steps: Step[] = [];
  const { lookup, format, join } = rule;
  if (rule.trim) steps.push(eachItem(trim));
  if (rule.split !== undefined) steps.push(splitter(rule.split));
  if (lookup) steps.push(eachItem((item) => lookUp(item, lookup, rule.default)));
  if (rule.true || rule.false) steps.push(eachItem(yesNoReader(rule.true, rule.false)));
  if (format) {
    const { zone = zones.sourceTimezone, language } = rule;
    steps.push(eachItem(dateReader({ formats: format, zone, language, kind, zones })));
  }
  if (rule.case) steps.push(eachItem(inText(cases[rule.case])));
  if (join !== undefined) steps.push((value) => (Array.isArray(value) ? joined(value, join) : value));
  if (steps.length === 0) return (value) => value;
  return (value) => steps.reduce((current, step) => (isMissing(current) ? current : step(current)), value);
}

function isMissing(value: unknown): boolean {
  return value === undefined || isBlank(value);
}

function eachItem(step: Step): Step {
  const apply: Step = (value) => {
    if (Array.isArray(value)) return value.map(apply);
    return isMissing(value) ? value : step(value);
  };
  return apply;
}

function inText(change: (text: string) => string): Step {
  return (value) => (typeof value === 'string' ? change(value) : value);
}

const trim = inText((text) => text.trim());

/** Items without blanks around them; those that are nothing but blanks are left out. */
function splitter(separator: string): Step {
  const split = (value: unknown): unknown[] => {
    if (typeof value !== 'string') return [value];
    return value
      .split(separator)
      .map((item) => item.trim())
      .filter((item) => item !== '');
  };
  return (value) => (Array.isArray(value) ? value.flatMap(split) : split(value));
}

function joined(items: readonly unknown[], separator: string): string {
  return items
    .filter((item) => !isMissing(item))
    .map((item) => {
      if (typeof item !== 'object') return String(item);
      throw new CodedError('FF_RECORD_VALUE', `${showValue(item)} is not a text, so it cannot be joined`);
    })
    .join(separator);
}

function lookUp(value: unknown, table: NonNullable<FieldRule['lookup']>, otherwise: FieldRule['default']): unknown {
  const name = typeof value === 'object' ? undefined : String(value).trim();
  if (name !== undefined && Object.hasOwn(table, name)) return table[name];
  if (otherwise !== undefined) return otherwise;
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
