import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { errors } from 'undici';
import { CodedError, messageOf } from '../core/errors.ts';
import { CmsError, type Failure } from './errors.ts';
import type { CmsRequest } from './request.ts';

/** A step of a request took too long. */
export class TimeLimitError extends Error {}

/** A body cannot be unpacked. */
class UnpackError extends Error {}

const decoders = new Map([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

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
  return new CmsError(
    failure,
    `${method} ${path} ${problems[failure]}${cause === undefined ? '' : ` (${describe(cause)})`}.`,
    {
      method,
      cause: safeCause,
    },
  );
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

/**
 * Decodes a body. The client asks for no compression, but some proxies compress every response, even without saying so. JSON may
 * begin with a byte order mark.
 * @param maxBytes the largest body, unpacked
 * @throws UnpackError, also if the body is larger
 */
export function decodeBody(
  chunks: readonly Buffer[],
  encodings: string | string[] | undefined,
  maxBytes: number,
): string {
  const [only, ...others] = chunks;
  let body = only !== undefined && others.length === 0 ? only : Buffer.concat(chunks);
  for (const name of String(encodings ?? '')
    .toLowerCase()
    .split(',')
    .reverse()) {
    const decode = isGzip(body) ? gunzipSync : decoders.get(name.trim());
    if (decode && body.length > 0) body = unpacked(() => decode(body, { maxOutputLength: maxBytes }));
  }
  const text = body.toString();
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function isGzip(body: Buffer): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

function unpacked(decode: () => Buffer): Buffer {
  try {
    return decode();
  } catch (cause) {
    throw new UnpackError(`its compressed body cannot be unpacked: ${messageOf(cause)}`, { cause });
  }
}
