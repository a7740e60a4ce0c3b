import jsonata from 'jsonata';

/** Limits for one evaluation: ms, nested calls, and items of a sequence. */
const limits = { timeout: 1000, stack: 500, sequence: 100_000 };

/** Functions whose result differs each time, or that would run text from the feed. */
const removedFunctions = ['random', 'shuffle', 'eval'];

/** A compiled JSONata expression; its result is undefined if there is no value. */
export type Expression = (input: unknown) => Promise<unknown>;

/**
 * Compiles a JSONata expression, with limits on time, depth and size. `$now()` and `$millis()` return the time of
 * `now`.
 * @param now ms since 1970
 * @throws Error with a readable message when the text is not an expression; a compiled expression that fails rejects
 *   with one
 */
export function compileExpression(text: string, now: () => number = Date.now): Expression {
  const expression = parse(text);
  expression.registerFunction('millis', now, '<:n>');
  expression.registerFunction('now', () => new Date(now()).toISOString(), '<:s>');
  for (const name of removedFunctions) {
    expression.registerFunction(name, () => {
      throw new Error(`$${name}() is not available, because its result differs each time`);
    });
  }
  return (input) =>
    expression.evaluate(input).catch((error: unknown) => {
      throw readable(error);
    });
}

function parse(text: string): jsonata.Expression {
  try {
    return jsonata(text, limits);
  } catch (error) {
    throw readable(error);
  }
}

/** JSONata throws plain objects. */
function readable(error: unknown): Error {
  const { message, position } = error as { message?: unknown; position?: unknown };
  const place = typeof position === 'number' ? ` (at character ${position})` : '';
  return new Error(`${typeof message === 'string' ? message : String(error)}${place}`, { cause: error });
}
