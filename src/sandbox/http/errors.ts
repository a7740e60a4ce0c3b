import { STATUS_CODES } from 'node:http';

/** A request that gets an error status; one error for each detail. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly details: string[];
  readonly headers: Record<string, string>;

  constructor(status: number, details: string | string[], headers: Record<string, string> = {}) {
    super(String(details));
    this.status = status;
    this.details = [details].flat();
    this.headers = headers;
  }
}

/** Returns the body of a response with an error status (API: "Errors"). */
export function errorBody(status: number, details: string[]) {
  const title = STATUS_CODES[status] ?? 'Error';
  return { errors: details.map((detail) => ({ code: status, title, detail })) };
}

/** Handles requests for paths that do not exist. */
export function refuseUnknownPath(): never {
  throw new ApiError(404, 'There is nothing at this path.');
}

/** Clearer messages for errors of the HTTP framework. */
const frameworkErrors: Record<string, [status: number, detail: string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'The Content-Type header must be application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The body is too large.'],
  FST_REQ_FILE_TOO_LARGE: [413, 'upload: the file is too large.'],
  FST_ERR_BAD_URL: [400, 'The path is not a valid URL.'],
};

/**
 * Returns the error that a client may see for any thrown value. If the value is neither ours nor a client error of the HTTP
 * framework, the error is a bare 500, which reveals nothing.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message?: string };
  const known = frameworkErrors[code ?? ''];
  if (known) return new ApiError(...known);
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new ApiError(statusCode, message ?? '');
  return new ApiError(500, 'The service failed.');
}
