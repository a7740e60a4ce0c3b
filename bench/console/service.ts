import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { MAIN } from './large-site.ts';

/** Runs `start` until it is stopped. */
export async function startConsole(variables: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, 'start'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables, HTTP_PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = once(child, 'exit');
  const lines: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    lines.push(line);
    const [, url] = /Console: (http:[\w.:/]+)/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stderr.resume();
    return { url: url.replace(/\/$/, ''), stop };
  }
  throw new Error(`start has ended:\n${lines.join('\n')}`);

  async function stop(): Promise<void> {
    child.kill('SIGTERM');
    await exit;
  }
}
