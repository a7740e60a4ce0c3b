import { errors } from 'undici';
import { CodedError, messageOf, TransientError } from '../../core/errors.ts';
import { redactUrl } from './location.ts';

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

/** Translates an error of undici. Undici's message does not quote the URL, and ours shows only what `redactUrl` shows. */
export function toFeedError(error: unknown, url: URL): CodedError {
  const coded = codedCause(error);
  if (coded) return coded;
  // Each address of a host has its own error: they usually fail for the same reason.
  const first = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  const message = `Cannot read ${redactUrl(url)}: ${messageOf(first)}.`;
  const proxyStatus = Number(/^Proxy .*\((\d{3})\)/.exec(messageOf(first))?.[1]);
  if (proxyStatus) return proxyError(url, proxyStatus, error);
  const timedOut =
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError;
  if (timedOut) {
    const late = `Cannot read ${redactUrl(url)}: the server did not respond in time.`;
    return new TransientError('FF_FEED_TIMEOUT', late, { cause: error });
  }
  const isTransient = TRANSIENT_CODES.includes((first as NodeJS.ErrnoException).code ?? '');
  return new (isTransient ? TransientError : CodedError)('FF_FEED_UNREADABLE', message, { cause: error });
}

/** The error for a proxy that does not pass a request on. */
function proxyError(url: URL, status: number, cause: unknown): CodedError {
  const remedy =
    status === 407
      ? 'Write the user name and password of the proxy into HTTP_PROXY and HTTPS_PROXY: `http://USER:PASSWORD@proxy.example.edu:3128`.'
      : 'Ask the operator of the proxy to allow the host, or add it to NO_PROXY if it can be reached without the proxy.';
  const message = `Cannot read ${redactUrl(url)}: the proxy refused the request with status ${status}.`;
  const isTransient = [502, 503, 504].includes(status);
  return new (isTransient ? TransientError : CodedError)('FF_FEED_UNREADABLE', message, { cause, remedy });
}

/** The address guard reports a refused address through undici, as a cause. */
function codedCause(error: unknown): CodedError | undefined {
  if (error instanceof CodedError) return error;
  if (error instanceof AggregateError) return error.errors.map(codedCause).find((cause) => cause !== undefined);
  return error instanceof Error && error.cause !== undefined ? codedCause(error.cause) : undefined;
}
