import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { compileCache } from '../support/compile-cache.ts';
import { MAIN } from '../support/program.ts';

/**
 * Runs the command line on a terminal of its own (`script` of util-linux makes one) and types an answer when it asks.
 * @returns all that the terminal showed
 */
export async function onTerminal(args: string[], answer: string, variables: Record<string, string>) {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', MAIN, ...args].join(' ');
  const env = { ...compileCache, PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...variables };
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...env, NO_COLOR: '1' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  let isAnswered = false;
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    if (isAnswered || !shown.includes('to continue: ')) return;
    isAnswered = true;
    child.stdin.write(`${answer}\r`);
  });
  const [exitCode] = await once(child, 'close');
  return { exitCode, shown, isAsked: isAnswered };
}
