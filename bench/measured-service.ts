import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Usage } from './usage.ts';

const OPTIONS = ['--disable-warning=ExperimentalWarning', '--import', join(import.meta.dirname, 'usage.ts')];
/** Longer than what a service does at intervals takes to come round. */
const IDLE_MS = 60_000;
/** Ticks of the CPU time that Linux shows, per second. */
const TICKS = 100;

export interface MeasuredService extends Usage {
  /** From its start until it said that it is at work. */
  seconds: number;
  /** CPU time of the minute after that. */
  idleCpuSeconds: number;
}

/**
 * Runs `start` until it has been at work for a minute. Linux only.
 * @throws Error where it ends before
 */
export async function runService(
  script: string,
  variables: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<MeasuredService> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...OPTIONS, ...nodeOptions, script, 'start'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const usage = json(child.stdio[3] as NodeJS.ReadableStream) as Promise<Usage>;
  const exit = once(child, 'exit');
  await untilAtWork(child);
  const seconds = (performance.now() - startedAt) / 1000;
  const before = cpuSeconds(child);
  await sleep(IDLE_MS);
  const idleCpuSeconds = cpuSeconds(child) - before;
  child.kill('SIGTERM');
  const [used] = await Promise.all([usage, exit]);
  return { ...used, seconds, idleCpuSeconds };
}

async function untilAtWork({ stderr }: ChildProcess): Promise<void> {
  if (!stderr) throw new Error('start has no standard error');
  const said: string[] = [];
  for await (const line of createInterface(stderr)) {
    said.push(line);
    if (!line.includes('Started.')) continue;
    stderr.resume();
    return;
  }
  throw new Error(`start has ended:\n${said.join('\n')}`);
}

function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
