import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import { CodedError, type ErrorCode } from '../../core/errors.ts';

const FIRST_PAUSE_MS = 500;
/** A server may ask for a longer pause; it gets this one. */
const LONGEST_PAUSE_MS = 30_000;

/** A failure that may be over in a moment. */
export class TransientError extends CodedError {
  /** The pause that the server asked for, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(code, message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Repeats what fails with a TransientError after growing pauses; the last error is thrown. */
export function retryTransient<Result>(
  attempt: () => Promise<Result>,
  { retries, signal }: { retries: number; signal?: AbortSignal },
): Promise<Result> {
  return pRetry(attempt, {
    retries,
    minTimeout: 0,
    shouldRetry: ({ error, attemptNumber }) => {
      if (!(error instanceof TransientError) || signal?.aborted) return false;
      const backoffMs = FIRST_PAUSE_MS * 2 ** (attemptNumber - 1) * (0.75 + Math.random() / 2);
      const pauseMs = Math.min(error.retryAfterMs ?? backoffMs, LONGEST_PAUSE_MS);
      return sleep(pauseMs, true, { signal }).catch(() => false);
    },
  });
}

/** A Retry-After header (RFC 9110, 10.2.3: seconds or an HTTP date) in ms from now; undefined where it is neither. */
export function feedPauseMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
