import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child.ts';

const LOOK_MS = 10;
const READY_MS = 120_000;

/**
 * Waits for something that no event announces: what a server has written to its log, what the CMS has counted.
 * @throws Error when it has not come within `ms`
 */
export async function until<T>(
  what: string,
  ms: number,
  look: () => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const deadline = Date.now() + ms;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (Date.now() > deadline) throw new Error(`Waited ${ms} ms in vain: ${what}.`);
    await sleep(LOOK_MS);
  }
}

/** Whether a process ends by itself within `ms`. */
export async function endsWithin(child: Child, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(ms, false, { signal: timer.signal }).catch(() => false);
  const ended = await Promise.race([child.exited.then(() => true), late]);
  timer.abort();
  return ended;
}

/**
 * Waits until a server has said that it is ready.
 * @throws Error with its last words where it ends instead, or stays silent
 */
export async function untilReady(server: Child, name: string, isReady: (stdout: string) => boolean): Promise<void> {
  const ended = server.exited.then(() => {
    throw new Error(`${name} ended before it was ready: ${server.stdout()}${server.stderr()}`);
  });
  await Promise.race([until(`${name} is ready`, READY_MS, () => isReady(server.stdout()) || undefined), ended]);
}
