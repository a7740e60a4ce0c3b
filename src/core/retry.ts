/** The first pause and the longest, in ms. */
export interface Pauses {
  backoffMs: number;
  maxBackoffMs: number;
}

/** When and how often something is tried again. */
export interface RetryPolicy extends Pauses {
  maxAttempts: number;
}

/**
 * Returns the pause before the next attempt. It doubles with every attempt up to the maximum, is at least `atLeastMs` (the
 * time the CMS asked for), and is shortened randomly by up to half, so that records do not all come back at once.
 */
export function retryDelay(attemptsMade: number, policy: Pauses, atLeastMs = 0, random = Math.random): number {
  const full = Math.min(policy.maxBackoffMs, policy.backoffMs * 2 ** Math.max(0, attemptsMade - 1));
  return Math.max(atLeastMs, Math.round(full * (0.5 + random() / 2)));
}
