import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { compileCache } from '../support/compile-cache.ts';
import { MAIN } from '../support/program.ts';

/** A text that the terminal shows, and the keys to press then. */
type Step = [shown: string, keys: string];

/**
 * Runs the command line on a new terminal (created by `script` of util-linux) and types an answer when the command asks.
 * @returns everything that the terminal showed
 */
export async function onTerminal(args: string[], answer: string, variables: Record<string, string>) {
  const { answered, ...rest } = await converse(args, [['to continue: ', `${answer}\r`]], { variables });
  return { ...rest, isAsked: answered === 1 };
}

/**
 * Runs the command line on a new terminal. Presses the keys of a step when its text has appeared after the text of the previous
 * step.
 * @returns `answered`: number of steps that were taken
 */
export async function converse(
  args: string[],
  steps: readonly Step[],
  { variables = {}, cwd }: { variables?: Record<string, string>; cwd?: string } = {},
) {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN, ...args].join(' ');
  const env = { ...compileCache, PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...variables };
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd,
    env: { ...env, NO_COLOR: '1', TERM: 'xterm' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  let answered = 0;
  let from = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    const [text, keys] = steps[answered] ?? [];
    const at = text === undefined ? -1 : shown.indexOf(text, from);
    if (text === undefined || keys === undefined || at < 0) return;
    from = at + text.length;
    answered += 1;
    child.stdin.write(keys);
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, shown, answered };
}
