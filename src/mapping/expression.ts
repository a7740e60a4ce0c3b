import { CodedError } from '../core/errors.ts';
import { compileExpression } from '../core/expressions/expression.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the expressions of a mapping gave for one record. */
export interface ExpressionResults {
  /** @throws CodedError FF_RECORD_EXPRESSION where the expression failed on the record. */
  get(expression: string): unknown;
}

/** Results of a mapping that has no expressions. */
export const noResults: ExpressionResults = { get: () => undefined };

/**
 * Compiles expressions, each once however often it stands in a sync. Only they make a mapping asynchronous: undefined
 * where there are none.
 * @param now ms since 1970
 * @throws CodedError FF_CONFIG_INVALID for one that cannot be parsed.
 */
export function compileExpressions(
  texts: readonly string[],
  now: () => number,
): ((fields: Fields) => Promise<ExpressionResults>) | undefined {
  if (texts.length === 0) return undefined;
  const expressions = [...new Set(texts)].map((text) => ({ text, evaluate: compiled(text, now) }));
  return async (fields) => {
    const outcomes = new Map<string, { value: unknown } | { error: CodedError }>();
    for (const { text, evaluate } of expressions) outcomes.set(text, await settle(evaluate(fields)));
    return {
      get(text) {
        const outcome = outcomes.get(text);
        if (outcome && 'error' in outcome) throw outcome.error;
        return outcome?.value;
      },
    };
  };
}

function compiled(text: string, now: () => number) {
  try {
    return compileExpression(text, now);
  } catch (error) {
    throw new CodedError('FF_CONFIG_INVALID', `the expression cannot be parsed: ${messageOf(error)}`, { cause: error });
  }
}

async function settle(evaluation: Promise<unknown>): Promise<{ value: unknown } | { error: CodedError }> {
  try {
    return { value: await evaluation };
  } catch (error) {
    const message = `the expression failed: ${messageOf(error)}`;
    return { error: new CodedError('FF_RECORD_EXPRESSION', message, { cause: error }) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
