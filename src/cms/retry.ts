import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import { CmsAbortedError, CmsError, CmsUnreachableError } from './errors.ts';

/** The longest pause that a call makes by itself, in ms. Longer ones are the caller's: it can do other work meanwhile. */
const longestPauseMs = 2_000;
const firstPauseMs = 100;

/** What decides whether a request may be sent again. */
export interface RetryRules {
  method: string;
  /** How often it is repeated at most. */
  retries: number;
  signal?: AbortSignal;
}

/** Does something that is safe to repeat again where that may help; the last error is thrown. */
export function retryCall<Result>(attempt: () => Promise<Result>, rules: RetryRules): Promise<Result> {
  // The signal is not p-retry's to watch: it would throw away an answer that came just before the abort.
  return pRetry(attempt, {
    retries: rules.retries,
    minTimeout: 0,
    shouldRetry: ({ error, attemptNumber }) => {
      const pauseMs = pauseBefore(error, attemptNumber, rules.method);
      return pauseMs !== undefined && pause(pauseMs, rules.signal);
    },
  });
}

/**
 * How long to wait before a request is repeated, in ms; undefined where it must not be.
 * GET, PUT, PATCH and DELETE have the same effect once or twice (RFC 9110, 9.2.2; a PATCH here sets values). A POST is
 * repeated only where it never left this machine.
 */
export function pauseBefore(error: Error, attempt: number, method: string): number | undefined {
  if (!(error instanceof CmsError) || error.kind !== 'retryable' || error instanceof CmsAbortedError) return undefined;
  if (method === 'POST' && !(error instanceof CmsUnreachableError)) return undefined;
  const askedMs = error.retryAfterMs ?? 0;
  if (askedMs > longestPauseMs) return undefined;
  const backoffMs = firstPauseMs * 2 ** (attempt - 1) * (1 + Math.random());
  return Math.max(askedMs, Math.min(backoffMs, longestPauseMs));
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}
