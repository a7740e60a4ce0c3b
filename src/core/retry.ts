import pRetry from 'p-retry';
import type { Clock } from './runtime/clock.ts';

/** The first and the longest pause, in ms. */
export interface Pauses {
  backoffMs: number;
  maxBackoffMs: number;
}

/** The pauses between attempts, and the number of attempts. */
export interface RetryPolicy extends Pauses {
  maxAttempts: number;
}

/**
 * Returns the pause before the next attempt: doubled with every attempt, up to the maximum, and at least as long as the CMS
 * asked for. The pause is shortened at random, by half at most, so that records do not all return at once.
 */
export function retryDelay(
  attemptsMade: number,
  policy: Pauses,
  { random }: Pick<Clock, 'random'>,
  atLeastMs = 0,
): number {
  const full = Math.min(policy.maxBackoffMs, policy.backoffMs * 2 ** Math.max(0, attemptsMade - 1));
  return Math.max(atLeastMs, Math.round(full * (0.5 + random() / 2)));
}

/**
 * Repeats an attempt after each failure for which `pauseMs` returns a pause. Throws the last error.
 * @param pauseMs its second argument is the number of attempts so far
 */
export async function repeatAfterPauses<Result>(
  attempt: () => Promise<Result>,
  pauseMs: (error: Error, attempts: number) => number | undefined,
  { retries, clock, signal }: { retries: number; clock: Pick<Clock, 'sleep'>; signal?: AbortSignal },
): Promise<Result> {
  const first = attempt();
  const isDone = await first.then(
    () => true,
    () => false,
  );
  // Most first attempts succeed, and do without p-retry.
  if (isDone) return first;
  // The signal is not passed to p-retry, which would discard a result that arrives just before the abort.
  return pRetry((number) => (number === 1 ? first : attempt()), {
    retries,
    minTimeout: 0,
    shouldRetry: ({ error, attemptNumber }) => {
      const ms = signal?.aborted ? undefined : pauseMs(error, attemptNumber);
      if (ms === undefined) return false;
      return clock.sleep(ms, { signal }).then(
        () => true,
        () => false,
      );
    },
  });
}

/** Longest pause that a server can ask for, in ms. One request then tests whether the server still needs a pause. */
const LONGEST_PAUSE_MS = 15 * 60_000;

/** Reads a Retry-After header, seconds or an HTTP date (RFC 9110, 10.2.3 and 5.6.7), as ms from `now`, at most 15 minutes. */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : httpDate(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_PAUSE_MS);
}

/** Reads an HTTP date. The oldest of its three forms names no zone, and Date.parse would use the zone of this machine. */
function httpDate(value: string): number {
  if (!/^[A-Z][a-z]{2,8},? /.test(value)) return Number.NaN;
  return Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
}
