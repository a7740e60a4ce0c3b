import { type Context, createContext, Script } from 'node:vm';

const call = new Script('run()');
let context: Context | undefined;

/**
 * Runs a synchronous function, and ends it after a time, even inside a regular expression. Costs about 0.05 ms. The function
 * may be ended anywhere, so it must change nothing.
 * @throws Error if the time is over; whatever the function throws
 */
export function withTimeLimit<T>(run: () => T, limitMs: number): T {
  context ??= createContext({});
  context.run = run;
  try {
    return call.runInContext(context, { timeout: limitMs });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Error(`takes longer than ${limitMs} ms`, { cause: error });
  }
}
