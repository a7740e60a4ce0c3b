import { retryDelay } from '../core/retry.ts';

const PAUSES = { backoffMs: 500, maxBackoffMs: 30_000 };

/** Pause before a job is repeated whose handler threw, in ms. */
export function crashDelay(attemptsMade: number): number {
  return retryDelay(attemptsMade, PAUSES);
}

/** A job that comes back at once would spin; so a pause of at least this many ms. */
export const SHORTEST_PAUSE_MS = 20;

/** How often a job is repeated whose handler throws, before the queue gives it up. The run queues its records again. */
export const MAX_REPEATS = 200;
