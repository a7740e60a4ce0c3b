import type { Condition } from '../config/types.ts';
import { isBlank } from './coerce.ts';
import type { ExpressionResults } from './expression.ts';
import { compilePath } from './path.ts';
import { showValue } from './text.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Compiles the `when` of a sync to a function that tells why a record does not count, undefined where it does.
 * An expression's result counts if it is true; any other is not.
 */
export function compileCondition(
  condition: Condition | undefined,
): (fields: Fields, results: ExpressionResults) => string | undefined {
  if (!condition) return () => undefined;
  if (condition.expression !== undefined) {
    const { expression } = condition;
    return (_fields, results) => (results.get(expression) === true ? undefined : `when: ${expression} is not true`);
  }
  const { field, present } = condition;
  const read = compilePath(field);
  const wanted = condition.is && new Set(condition.is.map(normal));
  const unwanted = new Set(condition.not?.map(normal));
  return (fields) => {
    const value = read(fields);
    const has = value !== undefined && !isBlank(value);
    if (present !== undefined && has !== present)
      return `when: ${field} ${has ? `is ${showValue(value)}` : 'has no value'}`;
    const words = (Array.isArray(value) ? value : [value]).map(normal);
    if (wanted && !words.some((word) => wanted.has(word)))
      return `when: ${field} is ${has ? showValue(value) : 'empty'}`;
    return words.some((word) => unwanted.has(word)) ? `when: ${field} is ${showValue(value)}` : undefined;
  };
}

/** What is absent or null is compared like an empty text. */
function normal(value: unknown): string {
  return String(value ?? '')
    .trim()
    .toLowerCase()
    .normalize('NFC');
}
