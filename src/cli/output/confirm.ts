import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { print } from './print.ts';

/** Whether a command asks before it acts: only on a terminal, not in a script. */
export function asks({ yes = false }: { yes?: boolean }): boolean {
  return !yes && process.stdin.isTTY;
}

/**
 * Asks the user to confirm an action by typing a word.
 * @param declined printed if the user does not
 */
export async function isConfirmed(
  { word, effect, declined }: { word: string; effect: string; declined: string },
  signal: AbortSignal,
): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = terminal.question(`${effect} Type "${word}" to continue: `, { signal });
    // Ctrl-C and Ctrl-D mean no.
    const none = once(terminal, 'close').then(() => '');
    if ((await Promise.race([answer, none]).catch(() => '')).trim() === word) return true;
  } finally {
    terminal.close();
  }
  print(declined, process.stderr);
  return false;
}
