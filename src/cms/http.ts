import { buildConnector, type Dispatcher, errors, FormData, Pool } from 'undici';
import { type ErrorCode, toCodedError } from '../core/errors.ts';
import type { Gate, Passage, RequestEnd } from '../core/gate.ts';
import type { Payload } from '../core/record.ts';
import type { ApiAddress } from './address.ts';
import { type Answer, isSuccess, readAnswer } from './answer.ts';
import { CmsError } from './errors.ts';
import { networkError, unsentError } from './network.ts';
import type { CmsRequest } from './request.ts';

/** Told of every request sent and of what became of it. */
export interface ResponseInfo {
  method: string;
  operation: string;
  status?: number;
  durationMs: number;
  /** When the CMS answered, by its own clock in ms since 1970, to the second (RFC 9110, 6.6.1); absent: it did not say. */
  answeredAt?: number;
  error?: ErrorCode;
}

/** How requests are sent. Times in ms, sizes in bytes. */
export interface HttpOptions {
  address: ApiAddress;
  token: string;
  userAgent: string;
  concurrency: number;
  timeoutMs: number;
  connectTimeoutMs: number;
  maxResponseBytes: number;
  gate?: Gate;
  onResponse?: (info: ResponseInfo) => void;
}

/** Sends requests, each once. */
export type Http = ReturnType<typeof createHttp>;

/** Opens a pool of kept-alive connections to one CMS (API: "Request rules for every endpoint"). Redirects are not followed. */
export function createHttp(options: HttpOptions) {
  const { address, token, timeoutMs, gate, onResponse } = options;
  // Only the connector knows for certain that nothing was sent: its errors are remembered by identity.
  const connectErrors = new WeakSet<Error>();
  const pool = new Pool(address.origin, {
    connections: options.concurrency,
    connect: rememberErrors(buildConnector({ timeout: options.connectTimeoutMs, allowH2: false }), connectErrors),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: options.maxResponseBytes,
  });
  const headers = { accept: 'application/json', 'user-agent': options.userAgent, authorization: `Bearer ${token}` };

  /** @throws CmsError for whatever goes wrong on the way to the CMS and back, or there. */
  async function send<Result>(request: CmsRequest<Result>): Promise<Result> {
    const passage = await enter(request);
    let end: RequestEnd = { health: 'unknown' };
    try {
      if (request.signal?.aborted || request.maySend?.() === false) throw unsentError(request);
      const result = await timed(request);
      end = { health: 'well' };
      return result;
    } catch (error) {
      if (error instanceof CmsError) end = { health: error.health, error, ...retryAfter(error) };
      throw error;
    } finally {
      await passage?.leave(end);
    }
  }

  async function enter(request: CmsRequest<unknown>): Promise<Passage | undefined> {
    try {
      return await gate?.enter(request.signal);
    } catch (error) {
      throw request.signal?.aborted ? unsentError(request) : error;
    }
  }

  async function timed<Result>(request: CmsRequest<Result>): Promise<Result> {
    const startedAt = performance.now();
    let answeredAt: Pick<ResponseInfo, 'answeredAt'> = {};
    const tell = (outcome: { status?: number; error?: ErrorCode }) => {
      const { method, operation } = request;
      onResponse?.({ method, operation, durationMs: performance.now() - startedAt, ...answeredAt, ...outcome });
    };
    let status: number;
    let result: Result;
    try {
      const answer = await exchange(request);
      status = answer.status;
      answeredAt = clockOf(answer);
      result = readAnswer(request, answer, secretsOf(token, request));
    } catch (thrown) {
      const error = toCodedError(thrown);
      tell({ error: error.code, status: error instanceof CmsError ? error.status : undefined });
      throw error;
    }
    tell({ status });
    return result;
  }

  async function exchange(request: CmsRequest<unknown>): Promise<Answer> {
    const fail = (cause: unknown) => networkError(request, cause, cause instanceof Error && connectErrors.has(cause));
    const {
      statusCode,
      headers: answered,
      body,
    } = await pool
      .request({
        method: request.method,
        path: `${address.path}${request.path}${request.query?.size ? `?${request.query}` : ''}`,
        headers: { ...headers, ...contentType(request.body) },
        body: encode(request.body),
        signal: request.signal,
      })
      .catch((cause) => {
        throw fail(cause);
      });
    const text = await readText(body, timeoutMs).catch((cause) => {
      if (isSuccess(statusCode)) throw fail(cause);
      return ''; // an error status says enough by itself
    });
    return { status: statusCode, headers: answered, text };
  }

  return {
    send /** Waits for the requests in flight; may be called again. */,
    close: async (): Promise<void> => (pool.closed ? undefined : pool.close()),
  };
}

function retryAfter({ retryAfterMs }: CmsError): Pick<RequestEnd, 'retryAfterMs'> {
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

function clockOf({ headers }: Answer): Pick<ResponseInfo, 'answeredAt'> {
  const answeredAt = Date.parse(String(headers.date));
  return Number.isNaN(answeredAt) ? {} : { answeredAt };
}

function rememberErrors(connect: buildConnector.connector, seen: WeakSet<Error>): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[0]) seen.add(result[0]);
      callback(...result);
    });
}

// FormData brings its own content type, with the boundary.
function contentType(body: Payload | FormData | undefined): { 'content-type'?: string } {
  return body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' };
}

function encode(body: Payload | FormData | undefined): string | FormData | undefined {
  return body === undefined || body instanceof FormData ? body : JSON.stringify(body);
}

// undici's body time-out starts anew with every chunk; this one is for the whole of it.
async function readText(body: Dispatcher.ResponseData['body'], timeoutMs: number): Promise<string> {
  const timer = setTimeout(() => body.destroy(new errors.BodyTimeoutError()), timeoutMs);
  try {
    return await body.text();
  } finally {
    clearTimeout(timer);
  }
}

// The CMS may repeat what it was sent when it complains.
function secretsOf(token: string, { body }: CmsRequest<unknown>): string[] {
  const password = body instanceof FormData ? undefined : body?.password;
  return typeof password === 'string' && password !== '' ? [token, ...spellingsOf(password)] : [token];
}

// As it is, as it stood in the body, and as it would stand in an address.
function spellingsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}
