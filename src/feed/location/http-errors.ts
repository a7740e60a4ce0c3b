import { errors } from 'undici';
import { CodedError, type ErrorCode } from '../../core/errors.ts';
import { redactUrl } from './location.ts';
import { TransientError } from './retry.ts';

const TRANSIENT_CODES = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
];

/** What undici throws, in feedferry's terms; the message never shows more of the address than `redactUrl` does. */
export function toFeedError(error: unknown, url: URL): CodedError {
  const coded = codedCause(error);
  if (coded) return coded;
  const timedOut =
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError;
  const code: ErrorCode = timedOut ? 'FF_FEED_TIMEOUT' : 'FF_FEED_UNREADABLE';
  const message = `${redactUrl(url)} could not be read: ${reasonOf(error)}.`;
  return timedOut || TRANSIENT_CODES.includes(codeOf(error))
    ? new TransientError(code, message, { cause: error })
    : new CodedError(code, message, { cause: error });
}

/** A short reason for people; undici's own messages do not quote the address. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function codedCause(error: unknown): CodedError | undefined {
  if (error instanceof CodedError) return error;
  if (error instanceof AggregateError) return error.errors.map(codedCause).find((cause) => cause !== undefined);
  return error instanceof Error && error.cause !== undefined ? codedCause(error.cause) : undefined;
}
