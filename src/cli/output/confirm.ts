import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** Whether a command asks before it acts: only on a terminal, not in a script. */
export function asks({ yes = false }: { yes?: boolean }): boolean {
  return !yes && process.stdin.isTTY;
}

/** Asks the user to confirm an action by typing a word. */
export async function isConfirmed(word: string, effect: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = terminal.question(`${effect} Type "${word}" to continue: `, { signal });
    // Ctrl-C and Ctrl-D mean no.
    const none = once(terminal, 'close').then(() => '');
    return (await Promise.race([answer, none]).catch(() => '')).trim() === word;
  } finally {
    terminal.close();
  }
}
