import { CodedError, type ErrorCode } from '../core/errors.ts';

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

/** Returns the response to an error: no stack, and no details of an unexpected one. */
export function responseTo(error: Error & { statusCode?: number }) {
  if (error instanceof CodedError && error.code !== 'FF_BUG') return response(STATUSES[error.code] ?? 500, error);
  const status = error instanceof CodedError ? 500 : (error.statusCode ?? 500);
  if (status >= 500) return response(500, new CodedError('FF_BUG', 'The request failed. The log has the details.'));
  return response(status, new CodedError('FF_HTTP_REQUEST', error.message));
}

function response(status: number, { code, message, remedy }: CodedError) {
  return { status, body: { error: { code, message, remedy } } };
}
