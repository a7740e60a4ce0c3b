import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { print } from './print.ts';

/** Whether a command asks before it acts: only on a terminal, not in a script. */
export function asks({ yes = false }: { yes?: boolean }): boolean {
  return !yes && process.stdin.isTTY;
}

/** Asks a question on the terminal. Returns undefined after Ctrl-C or Ctrl-D. */
export async function ask(question: string, signal: AbortSignal): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const none = once(terminal, 'close').then(() => undefined);
    return await Promise.race([terminal.question(question, { signal }), none]).catch(() => undefined);
  } finally {
    terminal.close();
  }
}

/**
 * Asks the user to confirm an action by typing a word.
 * @param declined printed if the user does not
 */
export async function isConfirmed(
  { word, effect, declined }: { word: string; effect: string; declined: string },
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await ask(`${effect} Type "${word}" to continue: `, signal);
  if (answer?.trim() === word) return true;
  print(declined, process.stderr);
  return false;
}
