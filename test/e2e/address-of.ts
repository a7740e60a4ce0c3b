import { type Running, start } from './feedferry.ts';
import type { Site } from './site.ts';

/** Starts a command, and returns the address of the console, which the log shows when the command is ready. */
export async function addressOf(
  args: string[],
  site: Site,
  variables: Record<string, string> = {},
): Promise<string | undefined> {
  return readyAt(start(args, { ...site.variables, LOG_LEVEL: 'info', ...variables }));
}

/** Returns the address of the console of a command that has started. */
export async function readyAt({ child }: Running): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    log += String(chunk);
    const [, message] = /"msg":"((?:Started|Ready)\.[^"]*)"/.exec(log) ?? [];
    if (message !== undefined) resolve(/ Console: (\S+)$/.exec(message)?.[1]);
  });
  child.once('exit', () => reject(new Error(`It ended:\n${log}`)));
  return promise;
}
