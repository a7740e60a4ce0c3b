import { CodedError, type ErrorCode } from './errors.ts';

/** A failure that may be over within seconds. */
export class TransientError extends CodedError {
  /** The pause that the server asked for, in ms. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; remedy?: string | undefined; retryAfterMs?: number },
  ) {
    super(code, message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}
