import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import { CodedError, type ErrorCode } from '../../core/errors.ts';

const FIRST_PAUSE_MS = 500;
/** Limits the pause that a server may ask for. */
const LONGEST_PAUSE_MS = 30_000;

/** A failure that may pass within seconds. */
export class TransientError extends CodedError {
  /** The pause that the server asked for, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(code, message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Repeats an attempt that fails with a TransientError, after growing pauses. Throws the last error. */
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
