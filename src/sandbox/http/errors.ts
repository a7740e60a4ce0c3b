import { STATUS_CODES } from 'node:http';

/** The body of every error answer (API: "Errors"). */
export interface ErrorBody {
  errors: Array<{ code: number; title: string; detail: string }>;
}

/** A request that the service answers with an error status; one error for each detail. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly details: string[];
  readonly headers: Record<string, string>;

  constructor(status: number, details: string | string[], headers: Record<string, string> = {}) {
    const list = typeof details === 'string' ? [details] : details;
    super(list.join(' '));
    this.status = status;
    this.details = list;
    this.headers = headers;
  }
}

/** The error body of a status: its code, the status name and each readable detail. */
export function errorBody(status: number, details: string[]): ErrorBody {
  const title = STATUS_CODES[status] ?? 'Error';
  return { errors: details.map((detail) => ({ code: status, title, detail })) };
}

/** Errors of the HTTP framework that deserve a better word. */
const frameworkErrors: Record<string, [status: number, detail: string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'The Content-Type header must be application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The body is too large.'],
  FST_REQ_FILE_TOO_LARGE: [413, 'upload: the file is too large.'],
  FST_ERR_BAD_URL: [400, 'The path is not a valid URL.'],
};

/**
 * Any thrown value as the answer that a client may see. What is neither ours nor a client error of the HTTP framework
 * becomes a bare 500: nothing of the inside leaks.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message?: string };
  const known = frameworkErrors[code ?? ''];
  if (known) return new ApiError(...known);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new ApiError(statusCode, message ?? '');
  return new ApiError(500, 'The service failed.');
}
