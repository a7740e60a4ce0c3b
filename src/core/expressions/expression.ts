import { createRequire } from 'node:module';
import type jsonata from 'jsonata';
import { withTimeLimit } from '../time-limit.ts';
import { bounded, boundedFunctions, boundedSort, type NativeFunction } from './bounded-functions.ts';
import { checkSize } from './result-size.ts';

const require = createRequire(import.meta.url);

/** Limits for one evaluation: ms, nested calls, and items of a sequence. */
const limits = { timeout: 1000, stack: 500, sequence: 100_000 };

/** After each evaluation that takes too long, the next ones get half of its time, but at least this many ms. */
const LEAST_TIMEOUT = 50;

/** Functions whose result differs each time, or that would run text from the feed. */
const removedFunctions = ['random', 'shuffle', 'eval'];

/** A compiled JSONata expression; its result is undefined if there is no value. */
export type Expression = (input: unknown) => Promise<unknown>;

let natives: Promise<Map<string, NativeFunction>> | undefined;

/**
 * Compiles a JSONata expression, with limits on time (also inside functions and regular expressions), depth and size. `$now()` and
 * `$millis()` return the time of `now`.
 * @param now ms since 1970
 * @throws Error with a readable message if the text is not an expression; a compiled expression that fails rejects with such
 * an error
 */
export function compileExpression(text: string, now: () => number = Date.now): Expression {
  // JSONata reads the limits at each evaluation.
  const own: typeof limits & jsonata.JsonataOptions = { ...limits, RegexEngine: regexEngine(() => own.timeout) };
  const expression = parse(text, own);
  expression.registerFunction('millis', now, '<:n>');
  expression.registerFunction('now', () => new Date(now()).toISOString(), '<:s>');
  for (const name of removedFunctions) {
    expression.registerFunction(name, () => {
      throw new Error(`$${name}() is not available, because its result differs each time`);
    });
  }
  let bounding: Promise<void> | undefined;
  return async (input) => {
    bounding ??= boundFunctions(expression, () => own.timeout);
    await bounding;
    const startedAt = performance.now();
    try {
      const result: unknown = await expression.evaluate(input);
      checkSize(result);
      return result;
    } catch (error) {
      if (performance.now() - startedAt >= own.timeout) own.timeout = Math.max(own.timeout >> 1, LEAST_TIMEOUT);
      throw readable(error);
    }
  };
}

async function boundFunctions(expression: jsonata.Expression, timeoutMs: () => number): Promise<void> {
  natives ??= readNatives();
  for (const [name, native] of await natives) {
    const own = name === 'sort' ? boundedSort(native) : bounded(name, native, timeoutMs);
    expression.registerFunction(name, own, native.signature.definition);
  }
}

/** The package exports no functions. An expression that is only a name has the function as its value. */
async function readNatives(): Promise<Map<string, NativeFunction>> {
  const found = new Map<string, NativeFunction>();
  for (const name of [...boundedFunctions, 'sort']) {
    found.set(name, (await parse(`$${name}`, {}).evaluate({})) as NativeFunction);
  }
  return found;
}

/**
 * A regular expression of the config may take years for a text of the feed. All matches in a text are found at once, because
 * JSONata asks for one after the other and each time limit has its cost.
 */
function regexEngine(timeoutMs: () => number): typeof RegExp {
  class LimitedRegExp extends RegExp {
    #matches: Iterator<RegExpExecArray> = [].values();

    override exec(text: string): RegExpExecArray | null {
      if (this.lastIndex === 0) this.#matches = withTimeLimit(() => allMatches(this, text), timeoutMs());
      const { value = null } = this.#matches.next();
      this.lastIndex = value === null ? 0 : value.index + value[0].length;
      return value;
    }
  }
  // JSONata only calls the class with `new`.
  return LimitedRegExp as unknown as typeof RegExp;
}

function allMatches(pattern: RegExp, text: string): Iterator<RegExpExecArray> {
  return [...text.matchAll(new RegExp(pattern))].values();
}

function parse(text: string, options: jsonata.JsonataOptions): jsonata.Expression {
  try {
    // Loaded by the first expression: few syncs have any.
    return (require('jsonata') as typeof jsonata)(text, options);
  } catch (error) {
    throw readable(error);
  }
}

/** Makes an Error of the plain objects that JSONata throws. */
function readable(error: unknown): Error {
  const { message, position } = error as { message?: unknown; position?: unknown };
  const place = typeof position === 'number' ? ` (at character ${position})` : '';
  return new Error(`${typeof message === 'string' ? message : String(error)}${place}`, { cause: error });
}
