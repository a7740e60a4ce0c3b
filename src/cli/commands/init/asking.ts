import * as prompts from '@clack/prompts';

/** Stream of the questions, and the signal that ends them. */
export interface Asking {
  output: NodeJS.WriteStream;
  signal: AbortSignal;
}

/** Thrown when the user ends the questions. */
export class Ended extends Error {}

/** Returns the answer to a question. @throws Ended after Ctrl-C */
export async function answerOf<Value>(prompt: Promise<Value>): Promise<Exclude<Value, symbol>> {
  const answer = await prompt;
  if (prompts.isCancel(answer)) throw new Ended();
  return answer as Exclude<Value, symbol>;
}
