import { errors } from 'undici';
import { CodedError } from '../core/errors.ts';
import { type CmsError, cmsError, type Failure } from './errors.ts';
import type { CmsRequest } from './request.ts';

const failureByCode: Record<string, Failure> = {
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'response',
  UND_ERR_HEADERS_OVERFLOW: 'response',
  UND_ERR_CLOSED: 'unsent',
  UND_ERR_DESTROYED: 'unsent',
};

/**
 * The error for a request that got no whole answer. What is not known counts as a broken connection: the CMS may have
 * the request.
 * @param connecting the cause arose before there was a connection, so nothing was sent
 */
export function networkError(request: CmsRequest<unknown>, cause: unknown, connecting: boolean): CodedError {
  if (cause instanceof Error && cause.name === 'NotReadableError') {
    return new CodedError(
      'FF_ATTACHMENT_UNREADABLE',
      `${request.method} ${request.path}: the file changed while it was sent.`,
      {
        cause,
      },
    );
  }
  return requestError(failureOf(request, cause, connecting), request, cause);
}

/** The error for a request that was given up before it was sent. */
export function unsentError(request: CmsRequest<unknown>): CmsError {
  return requestError('unsent', request, request.signal?.reason);
}

function failureOf(request: CmsRequest<unknown>, cause: unknown, connecting: boolean): Failure {
  if (connecting) return 'unreachable';
  if (request.signal?.aborted) return 'aborted';
  if (cause instanceof errors.HTTPParserError) return 'response';
  return failureByCode[codeOf(cause)] ?? 'connection';
}

function requestError(failure: Failure, request: CmsRequest<unknown>, cause: unknown): CmsError {
  const message = `${request.method} ${request.path} ${said[failure] ?? 'failed'}: ${describe(cause)}`;
  // The parser's error carries bytes of the answer, which may hold anything.
  const safeCause = cause instanceof errors.HTTPParserError ? undefined : cause;
  return cmsError(failure, message, { method: request.method, cause: safeCause });
}

const said: Partial<Record<Failure, string>> = {
  unreachable: 'could not be sent, for there is no connection to the CMS',
  unsent: 'was given up before it was sent',
  aborted: 'was given up while under way',
  timeout: 'got no answer in time',
  connection: 'got no answer, for the connection broke',
  response: 'got an answer that cannot be read',
};

// Where several addresses of a host were tried, Node's error has no message of its own.
function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.message !== '') return cause.message;
  if (cause instanceof AggregateError) return cause.errors.map(describe).join(', ');
  return codeOf(cause) || cause.name;
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : '';
}
