import { CodedError, type ErrorCode } from '../../core/errors.ts';
import { repeatAfterPauses, retryDelay } from '../../core/retry.ts';

const PAUSES = { backoffMs: 750, maxBackoffMs: 30_000 };

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
  rules: { retries: number; signal?: AbortSignal },
): Promise<Result> {
  const pauseMs = (error: Error, attempts: number) =>
    error instanceof TransientError
      ? Math.min(error.retryAfterMs ?? retryDelay(attempts, PAUSES), PAUSES.maxBackoffMs)
      : undefined;
  return repeatAfterPauses(attempt, pauseMs, rules);
}
