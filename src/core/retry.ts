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

const dayMs = 24 * 60 * 60 * 1000;

/** Reads a Retry-After header, seconds or an HTTP date (RFC 9110, 10.2.3 and 5.6.7), as ms from `now`, at most a day. */
export function retryAfterMs(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : httpDate(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), dayMs);
}

/** The oldest of the three forms of HTTP dates names no zone, and Date.parse would use the zone of this machine. */
function httpDate(value: string): number {
  if (!/^[A-Z][a-z]{2,8},? /.test(value)) return Number.NaN;
  return Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
}
