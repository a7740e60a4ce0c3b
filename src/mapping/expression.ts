import { CodedError, messageOf } from '../core/errors.ts';
import { compileExpression } from '../core/expressions/expression.ts';
import type { Fields } from './path.ts';
import { showValue, withCode } from './text.ts';

/**
 * Returns the result of an expression for one record.
 * @throws CodedError FF_RECORD_EXPRESSION when the expression failed for the record
 */
export type ResultOf = (expression: string) => unknown;

/**
 * Compiles expressions, each once. Only expressions make a mapping asynchronous; undefined if the sync has none.
 * @param now ms since 1970
 * @throws CodedError FF_CONFIG_INVALID for an expression that cannot be parsed
 */
export function compileExpressions(
  texts: readonly string[],
  now: () => number,
): ((fields: Fields) => Promise<ResultOf>) | undefined {
  if (texts.length === 0) return undefined;
  const expressions = [...new Set(texts)].map((text) => ({
    text,
    evaluate: withCode('FF_CONFIG_INVALID', 'the expression cannot be parsed', () => compileExpression(text, now)),
  }));
  return async (fields) => {
    const results = new Map<string, () => unknown>();
    for (const { text, evaluate } of expressions) {
      const result = await evaluate(fields).then(
        (value) => () => value,
        (error) => failed(text, error),
      );
      results.set(text, result);
    }
    return (expression) => results.get(expression)?.();
  };
}

function failed(expression: string, error: unknown): () => never {
  const message = `the expression ${showValue(expression)} failed: ${messageOf(error)}`;
  return () => {
    throw new CodedError('FF_RECORD_EXPRESSION', message, { cause: error });
  };
}
