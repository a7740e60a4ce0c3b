import { CodedError, type ErrorCode } from '../core/errors.ts';

const STATUSES: Partial<Record<ErrorCode, number>> = {
  FF_HTTP_UNAUTHORIZED: 401,
  FF_HTTP_FORBIDDEN: 403,
  FF_HTTP_FORGED: 403,
  FF_HTTP_NOT_FOUND: 404,
  FF_HTTP_REQUEST: 400,
  FF_USAGE: 400,
  FF_HTTP_TOO_MANY: 429,
  FF_SYNC_UNKNOWN: 404,
  FF_RUN_UNKNOWN: 404,
  FF_RECORD_UNKNOWN: 404,
  FF_RUN_BUSY: 409,
  FF_SYNC_PAUSED: 409,
  FF_CONFIG_INVALID: 409,
  FF_CONFIG_YAML: 409,
  FF_CONFIG_ENV: 409,
  FF_APPROVE_NOT_HELD: 409,
  FF_APPROVE_STALE: 409,
  FF_UNDO_NOTHING: 409,
  FF_NOTHING_TO_DO: 409,
  FF_ANSWER_CONTRADICTS: 409,
  FF_ADOPT_ITEM: 409,
  FF_ADOPT_SETTLED: 409,
  FF_ADOPT_TAKEN: 409,
  FF_EDIT_CHANGED: 409,
  FF_EDIT_IMPOSSIBLE: 409,
  FF_LEDGER_UNAVAILABLE: 503,
  FF_QUEUE_UNAVAILABLE: 503,
};
/** Codes of errors in which the server of the CMS or of a feed failed. */
const ELSEWHERE = /^FF_(CMS|FEED)_/;

/** An error as a response shows it. */
export interface Problem {
  status: number;
  code: string;
  message: string;
  remedy: string;
}

/** Returns the response to an error, without a stack. The details of an unexpected error are only in the log. */
export function httpProblem(error: Error & { statusCode?: number }): Problem {
  if (error instanceof CodedError && error.code !== 'FF_BUG') return problem(statusOf(error.code), error);
  const status = error instanceof CodedError ? 500 : (error.statusCode ?? 500);
  if (status >= 500) return problem(500, new CodedError('FF_BUG', 'The request failed. The log has the details.'));
  return problem(status, new CodedError('FF_HTTP_REQUEST', error.message));
}

function statusOf(code: ErrorCode): number {
  return STATUSES[code] ?? (ELSEWHERE.test(code) ? 502 : 500);
}

function problem(status: number, { code, message, remedy }: CodedError): Problem {
  return { status, code, message, remedy };
}
