import type { Condition } from '../config/types.ts';
import { hasNoValue } from './coerce.ts';
import type { ResultOf } from './expression.ts';
import { compilePath, type Fields } from './path.ts';
import { showValue } from './text.ts';
import { normalWord } from './words.ts';

/**
 * Compiles the `when` of a sync to a function that returns why a record is skipped; undefined if the record is not skipped.
 * The result of an expression must be exactly true.
 */
export function compileCondition(
  condition: Condition | undefined,
): (fields: Fields, resultOf: ResultOf) => string | undefined {
  if (!condition) return () => undefined;
  if (condition.expression !== undefined) {
    const { expression } = condition;
    return (_fields, resultOf) => (resultOf(expression) === true ? undefined : `when: ${expression} is not true`);
  }
  const { field, present } = condition;
  const read = compilePath(field);
  const wanted = condition.is && new Set(condition.is.map(normalWord));
  const unwanted = new Set(condition.not?.map(normalWord));
  return (fields) => {
    const value = read(fields);
    const has = !hasNoValue(value);
    if (present !== undefined && has !== present) {
      return `when: ${field} ${has ? `is ${showValue(value)}` : 'has no value'}`;
    }
    const words = (Array.isArray(value) ? value : [value]).map(normalWord);
    const isSkipped = (wanted && !words.some((word) => wanted.has(word))) || words.some((word) => unwanted.has(word));
    return isSkipped ? `when: ${field} is ${has ? showValue(value) : 'empty'}` : undefined;
  };
}
