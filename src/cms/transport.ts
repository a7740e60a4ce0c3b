import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { CodedError } from '../core/errors.ts';
import type { Clock, Timer } from '../core/runtime/clock.ts';
import type { ApiAddress } from './address.ts';
import { networkError, TimeLimitError, unsentError } from './network.ts';
import type { CmsRequest } from './request.ts';
import { type CmsResponse, isSuccess } from './response.ts';

/** How requests are sent. Times in ms, sizes in bytes. */
export interface TransportOptions {
  address: ApiAddress;
  /** Headers of every request. */
  headers: Record<string, string>;
  connections: number;
  timeoutMs: number;
  connectTimeoutMs: number;
  maxResponseBytes: number;
  clock: Clock;
}

/** The state of a request. */
export interface Trip {
  /** When the first byte was sent, by the client's monotonic clock; absent: nothing was sent. */
  startedAt?: number;
  /** Call it when a connection takes the request. If it throws, nothing may be sent. */
  onStart(): void;
}

/** Sends requests, each once, and reads their responses. */
export interface Transport {
  /** @throws CmsError, and what `trip.onStart` throws */
  receive(request: CmsRequest<unknown>, trip: Trip): Promise<CmsResponse>;
  /** Waits for the requests in flight. */
  close(): Promise<void>;
}

/** Sends requests over kept-alive connections to one CMS, directly or through the proxy that the environment names. */
export function createTransport(options: TransportOptions): Transport {
  const { address, clock } = options;
  const dispatcher = openDispatcher(options);
  const sending = dispatcher.compose(reportStart);
  return { receive, close };

  /**
   * Sends a request and reads its response. The wait for a connection has no limit. The time limit applies to each later step:
   * a file makes progress, then the head of the response arrives, then its body.
   * @throws CmsError
   */
  async function receive(request: CmsRequest<unknown>, trip: Trip): Promise<CmsResponse> {
    const { signal } = request;
    const stop = new AbortController();
    const limit = timeLimit(request.timeoutMs ?? options.timeoutMs, stop, clock);
    const fail = (cause: unknown): never => {
      throw networkError(request, cause, trip.startedAt !== undefined);
    };
    const start = () => {
      trip.onStart();
      limit.restart();
    };
    const abort = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const answer = dispatcherRequest(request, start, stop.signal, limit.restart);
      const { statusCode: status, headers, body } = await unlessWaiting(answer, request, trip).catch(fail);
      limit.restart();
      // An error status is sufficient without its body.
      const text = await body.text().catch((cause) => (isSuccess(status) ? fail(cause) : ''));
      return { status, headers, text };
    } finally {
      limit.end();
      signal?.removeEventListener('abort', abort);
    }
  }

  function dispatcherRequest(
    request: CmsRequest<unknown>,
    start: () => void,
    signal: AbortSignal,
    onChunk: () => void,
  ) {
    const { method, path, query, body, form } = request;
    return sending.request({
      origin: address.origin,
      method,
      path: `${address.path}${path}${query?.size ? `?${query}` : ''}`,
      headers: {
        ...options.headers,
        ...(body && { 'content-type': 'application/json' }),
        ...(form && headersOf(form)),
      },
      body: body ? JSON.stringify(body) : form?.chunks(onChunk),
      signal,
      opaque: start,
    } as Dispatcher.RequestOptions<() => void>);
  }

  /** Waits for the requests in flight. */
  async function close(): Promise<void> {
    await dispatcher.close();
  }
}

function openDispatcher({ address, ...options }: TransportOptions): Dispatcher {
  const settings = {
    connections: options.connections,
    connectTimeout: options.connectTimeoutMs,
    allowH2: false,
    maxResponseSize: options.maxResponseBytes,
    // undici's limits would restart with interim responses and single bytes.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  if (address.isLocal || !namesProxy(process.env)) return new Pool(address.origin, settings);
  try {
    return new EnvHttpProxyAgent(settings);
  } catch {
    // The address may contain a password.
    throw new CodedError('FF_CONFIG_INVALID', 'HTTP_PROXY or HTTPS_PROXY is not the address of a proxy.', {
      remedy: 'Set them to an address such as http://proxy.example.edu:3128, or remove them.',
    });
  }
}

function namesProxy(environment: NodeJS.ProcessEnv): boolean {
  return ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'].some((name) => environment[name]);
}

function headersOf({ contentType, contentLength }: NonNullable<CmsRequest<unknown>['form']>): Record<string, string> {
  return { 'content-type': contentType, ...(contentLength !== undefined && { 'content-length': `${contentLength}` }) };
}

/** Rejects at once if a call is aborted while it waits for a connection: undici notices the abort only when it has one. */
async function unlessWaiting<Answer>(
  answer: Promise<Answer>,
  request: CmsRequest<unknown>,
  trip: Trip,
): Promise<Answer> {
  const { signal } = request;
  if (!signal) return answer;
  const aborted = Promise.withResolvers<never>();
  const abort = () => {
    if (trip.startedAt === undefined) aborted.reject(unsentError(request));
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([answer, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Reports that a connection takes a request, which may have waited for one. */
const reportStart: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { opaque: start } = options as { opaque?: () => void };
  const onRequestStart = handler.onRequestStart?.bind(handler);
  handler.onRequestStart = (...connection) => {
    start?.();
    onRequestStart?.(...connection);
  };
  return dispatch(options, handler);
};

/** Limits the time of a step. A file may still be sent when its response has arrived, so an ended limit does not start again. */
function timeLimit(ms: number, stop: AbortController, { after }: Clock) {
  let timer: Timer | undefined;
  let isOver = false;
  const restart = () => {
    timer?.cancel();
    if (!isOver) timer = after(ms, () => stop.abort(new TimeLimitError(`no progress within ${ms} ms`)));
  };
  const end = () => {
    isOver = true;
    timer?.cancel();
  };
  return { restart, end };
}
