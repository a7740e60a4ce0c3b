/** How long the first pause is, and the longest, in ms. */
export interface Pauses {
  backoffMs: number;
  maxBackoffMs: number;
}

/** When something is tried again, and when no more. */
export interface RetryPolicy extends Pauses {
  maxAttempts: number;
}

/**
 * Pause before the next attempt: doubles with every attempt, up to the maximum, and never ends before the CMS said it
 * would (`atLeastMs`). Between half and the whole of it, at random, so that records do not all come back at once.
 */
export function retryDelay(attemptsMade: number, policy: Pauses, atLeastMs = 0, random = Math.random): number {
  const full = Math.min(policy.maxBackoffMs, policy.backoffMs * 2 ** Math.max(0, attemptsMade - 1));
  return Math.max(atLeastMs, Math.round(full * (0.5 + random() / 2)));
}
