import { setImmediate as immediately } from 'node:timers/promises';
import { buildConnector, type Dispatcher, errors, type FormData, Pool } from 'undici';
import { type ErrorCode, toCodedError } from '../core/errors.ts';
import type { Gate, Passage, RequestEnd } from '../core/gate.ts';
import type { ApiAddress } from './address.ts';
import { CmsError } from './errors.ts';
import { networkError, unsentError } from './network.ts';
import type { CmsRequest } from './request.ts';
import { type CmsResponse, isSuccess, readResponse } from './response.ts';

/** Reports a request that was sent, and its outcome. */
export interface ResponseInfo {
  method: string;
  operation: string;
  status?: number;
  durationMs: number;
  /** When the CMS responded, by its own clock in ms since 1970, to the second (RFC 9110, 6.6.1). */
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

/**
 * One connection more for so many, if a gate limits the requests: a connection that has just answered is not used again at once,
 * in case it closes.
 */
const SPARE = 4;

/** Sends requests, each once. */
export type Http = ReturnType<typeof createHttp>;

/** Opens a pool of kept-alive connections to one CMS (API: "Request rules for every endpoint"). Redirects are not followed. */
export function createHttp(options: HttpOptions) {
  const { address, token, concurrency, timeoutMs, gate, onResponse } = options;
  // Only an error of the connector proves that nothing was sent.
  const connectErrors = new WeakSet<Error>();
  const mostConnections = gate ? concurrency + Math.ceil(concurrency / SPARE) : concurrency;
  let connections = 0;
  const connector = rememberErrors(
    buildConnector({ timeout: options.connectTimeoutMs, allowH2: false }),
    connectErrors,
  );
  const pool = new Pool(address.origin, {
    connections: mostConnections,
    connect: (...connection) => {
      connections += 1;
      connector(...connection);
    },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: options.maxResponseBytes,
  });
  const dispatcher = pool.compose(refuseLate);
  const headers = { accept: 'application/json', 'user-agent': options.userAgent, authorization: `Bearer ${token}` };
  return { send, close };

  /** @throws CmsError */
  async function send<Result>(request: CmsRequest<Result>): Promise<Result> {
    // While it waits: a confirmation may take a while.
    if (gate && request.confirm && !(await isConfirmed(request))) throw unsentError(request);
    const passage = await enter(request);
    let end: RequestEnd = { health: 'unknown' };
    let sent = { at: 0, connections };
    try {
      if (request.signal?.aborted || !(await isConfirmed(request))) throw unsentError(request);
      sent = { at: performance.now(), connections };
      const result = await exchange(request);
      end = { health: 'well' };
      return result;
    } catch (error) {
      if (error instanceof CmsError) end = { health: error.health, error, retryAfterMs: error.retryAfterMs };
      throw error;
    } finally {
      await passage?.leave({ ...end, ...timeOf(request, sent) });
      // The next requests are sent before the caller looks at this response.
      await immediately();
    }
  }

  /** How long a request took, unless that depends on the size of a file, or on the time to connect as only at first. */
  function timeOf({ operation, form }: CmsRequest<unknown>, sent: { at: number; connections: number }) {
    const isFirst = connections !== sent.connections && connections <= mostConnections;
    return form || isFirst ? {} : { operation, tookMs: performance.now() - sent.at };
  }

  async function enter(request: CmsRequest<unknown>): Promise<Passage | undefined> {
    try {
      return await gate?.enter(request.signal);
    } catch (error) {
      throw request.signal?.aborted ? unsentError(request) : error;
    }
  }

  async function exchange<Result>(request: CmsRequest<Result>): Promise<Result> {
    const startedAt = performance.now();
    const info: Partial<ResponseInfo> = {};
    try {
      const response = await receive(request);
      info.status = response.status;
      info.answeredAt = clockOf(response);
      return readResponse(request, response, secretsOf(token, request));
    } catch (thrown) {
      const error = toCodedError(thrown);
      info.error = error.code;
      throw error;
    } finally {
      const { method, operation } = request;
      onResponse?.({ method, operation, durationMs: performance.now() - startedAt, ...info });
    }
  }

  async function receive(request: CmsRequest<unknown>): Promise<CmsResponse> {
    const fail = (cause: unknown): never => {
      if (cause instanceof LateError) throw unsentError(request);
      throw networkError(request, cause, cause instanceof Error && connectErrors.has(cause));
    };
    const message = {
      method: request.method,
      path: `${address.path}${request.path}${request.query?.size ? `?${request.query}` : ''}`,
      // A form sets its own content type, with the boundary.
      headers: { ...headers, ...(request.body && { 'content-type': 'application/json' }) },
      body: request.body ? JSON.stringify(request.body) : (request.form as FormData | undefined),
      signal: request.signal,
      opaque: request.maySend,
    };
    const { statusCode: status, headers: received, body } = await dispatcher.request(message).catch(fail);
    // An error status is sufficient without its body.
    const text = await readText(body, timeoutMs).catch((cause) => (isSuccess(status) ? fail(cause) : ''));
    return { status, headers: received, text };
  }

  /** Waits for the requests in flight. May be called again. */
  async function close(): Promise<void> {
    if (!pool.closed) await pool.close();
  }
}

/** Reading needs no confirmation: it changes nothing. */
async function isConfirmed({ method, confirm }: CmsRequest<unknown>): Promise<boolean> {
  return method === 'GET' || !confirm || (await confirm());
}

class LateError extends Error {}

/** Asks once more whether a request may be sent when a connection is about to write it: it may have waited for one. */
const refuseLate: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { opaque: maySend } = options as { opaque?: CmsRequest<unknown>['maySend'] };
  const start = handler.onRequestStart?.bind(handler);
  handler.onRequestStart = (...connection) => {
    if (maySend?.() === false) throw new LateError();
    start?.(...connection);
  };
  return dispatch(options, handler);
};

function clockOf({ headers }: CmsResponse): number | undefined {
  const answeredAt = Date.parse(String(headers.date));
  return Number.isNaN(answeredAt) ? undefined : answeredAt;
}

function rememberErrors(connect: buildConnector.connector, seen: WeakSet<Error>): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[0]) seen.add(result[0]);
      callback(...result);
    });
}

/** Limits the time for the whole body; undici's limit starts again with every chunk. */
async function readText(body: Dispatcher.ResponseData['body'], timeoutMs: number): Promise<string> {
  const timer = setTimeout(() => body.destroy(new errors.BodyTimeoutError()), timeoutMs);
  try {
    return await body.text();
  } finally {
    clearTimeout(timer);
  }
}

/** Returns what the CMS may repeat in an error message: the token and a password. */
function secretsOf(token: string, { body }: CmsRequest<unknown>): string[] {
  const password = body?.password;
  if (typeof password !== 'string' || password === '') return [token];
  return [token, password];
}
