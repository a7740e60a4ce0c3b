import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** Asks for the name of a sync before something is done to it; on a terminal only, not in a script. */
export async function isConfirmed(name: string, effect: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = terminal.question(`${effect} Type "${name}" to continue: `, { signal });
    // Ctrl-C and Ctrl-D mean no.
    const none = once(terminal, 'close').then(() => '');
    return (await Promise.race([answer, none]).catch(() => '')).trim() === name;
  } finally {
    terminal.close();
  }
}
