import { CodedError, type ErrorCode } from '../core/errors.ts';

/** An error as it is answered: its HTTP status, and its body. */
export interface ErrorAnswer {
  status: number;
  body: { error: { code: string; message: string; remedy: string } };
}

const STATUSES: Partial<Record<ErrorCode, number>> = {
  FF_HTTP_UNAUTHORIZED: 401,
  FF_HTTP_REQUEST: 400,
  FF_HTTP_TOO_MANY: 429,
  FF_SYNC_UNKNOWN: 404,
  FF_RUN_UNKNOWN: 404,
  FF_RUN_BUSY: 409,
  FF_LEDGER_UNAVAILABLE: 503,
  FF_QUEUE_UNAVAILABLE: 503,
};

/** What went wrong, as the other side may know it: no stack, and of what nobody foresaw nothing. */
export function answerTo(error: Error & { statusCode?: number }): ErrorAnswer {
  if (error instanceof CodedError && error.code !== 'FF_BUG') return answer(STATUSES[error.code] ?? 500, error);
  const status = error instanceof CodedError ? 500 : (error.statusCode ?? 500);
  if (status >= 500) return answer(500, new CodedError('FF_BUG', 'The request failed; the log tells why.'));
  return answer(status, new CodedError('FF_HTTP_REQUEST', error.message));
}

function answer(status: number, { code, message, remedy }: CodedError): ErrorAnswer {
  return { status, body: { error: { code, message, remedy } } };
}
