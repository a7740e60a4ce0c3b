import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import type { Usage } from './usage.ts';

/** Figures of a process from its start to its end. */
export interface Measured extends Usage {
  seconds: number;
  stdout: string;
}

const OPTIONS = ['--disable-warning=ExperimentalWarning', '--import', join(import.meta.dirname, 'usage.ts')];

/**
 * Runs a script in a process of its own, so that memory and CPU time are its own.
 * @param nodeOptions further options of node, such as those of its profiler
 * @throws Error where the process fails
 */
export async function runMeasured(
  script: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<Measured> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...OPTIONS, ...nodeOptions, script, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const [, out, , usage] = child.stdio;
  const [stdout, used, [exitCode, signal]] = await Promise.all([
    text(out as NodeJS.ReadableStream),
    json(usage as NodeJS.ReadableStream) as Promise<Usage>,
    once(child, 'exit'),
  ]);
  if (exitCode !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${signal ?? exitCode}: ${stdout}`);
  return { ...used, seconds: (performance.now() - startedAt) / 1000, stdout };
}
