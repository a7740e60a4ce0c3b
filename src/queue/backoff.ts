const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Pause before a job is repeated whose handler threw: it doubles from half a second up to half a minute. */
export function crashDelay(attemptsMade: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, attemptsMade - 1));
}

/** A job that comes back at once would spin; so a pause of at least this many ms. */
export const SHORTEST_PAUSE_MS = 20;

/** How often a job is repeated before the queue gives it up. The ledger decides about records long before. */
export const MAX_REPEATS = 200;
