import { createRequire } from 'node:module';
import type jsonata from 'jsonata';
import { bounded, boundedFunctions, boundedSort, type NativeFunction } from './bounded-functions.ts';
import { countedPattern } from './counted-pattern.ts';
import { checkSize } from './result-size.ts';

const require = createRequire(import.meta.url);

/** Limits for one evaluation: nested calls, and items of a sequence. */
const limits = { stack: 500, sequence: 100_000 };

/** Steps of one evaluation at most. So many items or characters of a result count as one more step. */
const steps = { most: 500_000, itemsInOne: 10, charactersInOne: 20 };

/** JSONata calls what is bound to it after each step. */
const AFTER_STEP = Symbol.for('jsonata.__evaluate_exit');

/** Functions whose result differs each time, or that would run text from the feed. */
const removedFunctions = ['random', 'shuffle', 'eval'];

/** A compiled JSONata expression; its result is undefined if there is no value. */
export type Expression = (input: unknown) => Promise<unknown>;

let natives: Promise<Map<string, NativeFunction>> | undefined;

/**
 * Compiles a JSONata expression, with limits on steps (also inside regular expressions), depth and size. They do not depend on
 * the speed of the machine. `$now()` and `$millis()` return the time of `now`.
 * @param now ms since 1970
 * @throws Error with a readable message if the text is not an expression; a compiled expression that fails rejects with such
 * an error
 */
export function compileExpression(text: string, now: () => number = Date.now): Expression {
  const expression = parse(text, { ...limits, RegexEngine: CountedRegExp as unknown as typeof RegExp });
  expression.assign(AFTER_STEP as unknown as string, countStep);
  expression.registerFunction('millis', now, '<:n>');
  expression.registerFunction('now', () => new Date(now()).toISOString(), '<:s>');
  for (const name of removedFunctions) {
    expression.registerFunction(name, () => {
      throw new Error(`$${name}() is not available, because its result differs each time`);
    });
  }
  let bounding: Promise<void> | undefined;
  return async (input) => {
    bounding ??= boundFunctions(expression);
    await bounding;
    try {
      const result: unknown = await expression.evaluate(input);
      checkSize(result);
      return result;
    } catch (error) {
      throw readable(error);
    }
  };
}

/** @param environment of the step; its base is that of the evaluation */
function countStep(_: unknown, __: unknown, environment: { base: { steps?: number } }, result: unknown): void {
  const { base } = environment;
  base.steps = (base.steps ?? 0) + 1;
  if (Array.isArray(result)) base.steps += result.length / steps.itemsInOne;
  if (typeof result === 'string') base.steps += result.length / steps.charactersInOne;
  if (base.steps > steps.most) throw new Error(`it takes longer than ${steps.most.toLocaleString('en')} steps`);
}

async function boundFunctions(expression: jsonata.Expression): Promise<void> {
  natives ??= readNatives();
  for (const [name, native] of await natives) {
    const own = name === 'sort' ? boundedSort(native) : bounded(name, native);
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

const countedPatterns = new WeakMap<RegExp, ReturnType<typeof countedPattern>>();

/** A regular expression of the config might take years for a text of the feed. JSONata asks for one match after the other. */
class CountedRegExp extends RegExp {
  readonly #find: ReturnType<typeof countedPattern>;
  #matches: Iterator<RegExpExecArray> = [].values();

  /** @param pattern of the expression, the same one at each evaluation */
  constructor(pattern: RegExp) {
    super(pattern);
    const known = countedPatterns.get(pattern) ?? countedPattern(pattern);
    countedPatterns.set(pattern, known);
    this.#find = known;
  }

  override exec(text: string): RegExpExecArray | null {
    if (this.lastIndex === 0) this.#matches = this.#find(text).values();
    const { value = null } = this.#matches.next();
    this.lastIndex = value === null ? 0 : value.index + value[0].length;
    return value;
  }
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
