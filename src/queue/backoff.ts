import { retryDelay } from '../core/retry.ts';
import type { Clock } from '../core/runtime/clock.ts';

const PAUSES = { backoffMs: 500, maxBackoffMs: 30_000 };

/** Returns the pause before a job whose handler threw is repeated, in ms. */
export function crashDelay(attemptsMade: number, clock: Pick<Clock, 'random'>): number {
  return retryDelay(attemptsMade, PAUSES, clock);
}

/** Pause before a job returns: without one, it would run in a loop. */
export const SHORTEST_PAUSE_MS = 20;

/** A job is given up if its handler has thrown so often in a row. */
export const MOST_THROWS = 200;
