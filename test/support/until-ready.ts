import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Waits until a server has printed that it is ready, on the one stream that is piped.
 * @throws Error with the last lines that it has printed if it ends before
 */
export async function untilReady(name: string, server: ChildProcess, isReady: RegExp): Promise<void> {
  const output = server.stdout ?? server.stderr;
  if (!output) throw new Error(`The output of ${name} is not piped.`);
  const said: string[] = [];
  const lines = createInterface({ input: output });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`${name} did not start:\n${said.slice(-5).join('\n')}`)));
    lines.on('line', (line) => {
      said.push(line);
      if (isReady.test(line)) resolve();
    });
  });
}
