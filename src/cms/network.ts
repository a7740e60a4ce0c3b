import { errors } from 'undici';
import { CodedError, messageOf } from '../core/errors.ts';
import { UnpackError } from './body.ts';
import { CmsError, type Failure } from './errors.ts';
import type { CmsRequest } from './request.ts';

/** A step of a request took too long. */
export class TimeLimitError extends Error {}

const failureByCode: Record<string, Failure> = {
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'response',
  UND_ERR_HEADERS_OVERFLOW: 'response',
  UND_ERR_CLOSED: 'unsent',
  UND_ERR_DESTROYED: 'unsent',
};

const problems: Partial<Record<Failure, string>> = {
  unreachable: 'was not sent: no connection to the CMS',
  unsent: 'was cancelled before it was sent',
  aborted: 'was cancelled while it was in progress',
  timeout: 'timed out',
  connection: 'failed: the connection broke before the response was complete',
  response: 'failed: the response cannot be read',
};

/**
 * Returns the error for a request without a complete response. An unknown cause counts as a broken connection: the CMS may
 * have received the request.
 * @param wasStarted whether a connection had taken the request; otherwise nothing was sent
 */
export function networkError(request: CmsRequest<unknown>, cause: unknown, wasStarted: boolean): CodedError {
  if (cause instanceof CodedError) return cause;
  if (cause instanceof Error && cause.name === 'NotReadableError') {
    const message = `${request.method} ${request.path}: the file was changed during the upload.`;
    return new CodedError('FF_ATTACHMENT_UNREADABLE', message, { cause });
  }
  return requestError(failureOf(request, cause, wasStarted), request, cause);
}

/** Returns the error for a request that was cancelled before it was sent. */
export function unsentError(request: CmsRequest<unknown>, reason: unknown = request.signal?.reason): CmsError {
  return requestError('unsent', request, reason);
}

function failureOf(request: CmsRequest<unknown>, cause: unknown, wasStarted: boolean): Failure {
  if (!wasStarted && request.signal?.aborted) return 'unsent';
  if (!wasStarted) return failureByCode[codeOf(cause)] ?? 'unreachable';
  if (request.signal?.aborted) return 'aborted';
  if (cause instanceof TimeLimitError) return 'timeout';
  if (cause instanceof errors.HTTPParserError || cause instanceof UnpackError) return 'response';
  return failureByCode[codeOf(cause)] ?? 'connection';
}

function requestError(failure: Failure, { method, path }: CmsRequest<unknown>, cause: unknown): CmsError {
  // The parser's error contains bytes of the response, which may be anything.
  const safeCause = cause instanceof errors.HTTPParserError ? undefined : cause;
  return new CmsError(failure, `${method} ${path} ${problems[failure]} (${describe(cause)}).`, {
    method,
    cause: safeCause,
  });
}

function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== '') return messageOf(cause);
  // If several addresses of a host were tried, Node's error has no message of its own.
  if (cause instanceof AggregateError) return cause.errors.map(describe).join(', ');
  return codeOf(cause) || cause.name;
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
