import { type Dispatcher, errors, Pool } from 'undici';
import { createProxyAgent } from '../core/network/env-proxy.ts';
import type { Clock, Timer } from '../core/runtime/clock.ts';
import type { ApiAddress } from './address.ts';
import { decodeBody, networkError, TimeLimitError, unsentError } from './network.ts';
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
  return { receive, close };

  /**
   * Sends a request and reads its response. The wait for a connection has no limit. The time limit applies to each later step:
   * a file makes progress, then the head of the response arrives, then its body.
   * @throws CmsError
   */
  async function receive(request: CmsRequest<unknown>, trip: Trip): Promise<CmsResponse> {
    const { signal } = request;
    const response = Promise.withResolvers<CmsResponse>();
    const chunks: Buffer[] = [];
    let exchange: Dispatcher.DispatchController | undefined;
    let head: Omit<CmsResponse, 'text'> | undefined;
    const limit = timeLimit(request.timeoutMs ?? options.timeoutMs, (error) => exchange?.abort(error), clock);
    const fail = (cause: unknown) => {
      // An error status is sufficient without its body.
      if (head && !isSuccess(head.status)) response.resolve({ ...head, text: '' });
      else response.reject(networkError(request, cause, trip.startedAt !== undefined));
    };
    const abort = () => {
      // undici notices an abort only when it has a connection.
      if (trip.startedAt === undefined) response.reject(unsentError(request));
      else exchange?.abort(signal?.reason ?? new errors.RequestAbortedError());
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      dispatcher.dispatch(toOptions(request, limit.restart), {
        /** A connection takes the request, which may have waited for one. */
        onRequestStart(controller) {
          trip.onStart();
          exchange = controller;
          limit.restart();
        },
        onResponseStart(_, status, headers) {
          // Interim responses are no progress.
          if (status < 200) return;
          head = { status, headers };
          limit.restart();
        },
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd() {
          if (!head) return;
          try {
            const text = decodeBody(chunks, head.headers['content-encoding'], options.maxResponseBytes);
            response.resolve({ ...head, text });
          } catch (error) {
            fail(error);
          }
        },
        onResponseError: (_, error) => fail(error),
      });
      return await response.promise;
    } finally {
      limit.end();
      signal?.removeEventListener('abort', abort);
    }
  }

  function toOptions({ method, path, query, body, form }: CmsRequest<unknown>, onChunk: () => void) {
    return {
      origin: address.origin,
      method,
      path: `${address.path}${path}${query?.size ? `?${query}` : ''}`,
      headers: {
        ...options.headers,
        ...(body && { 'content-type': 'application/json' }),
        ...(form && { 'content-type': form.contentType, 'content-length': `${form.contentLength}` }),
      },
      body: body ? JSON.stringify(body) : form?.chunks(onChunk),
    } as Dispatcher.DispatchOptions;
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
  const proxy = address.isLocal ? undefined : createProxyAgent(settings);
  return proxy ?? new Pool(address.origin, settings);
}

/** Limits the time of a step. A file may still be sent when its response has arrived, so an ended limit does not start again. */
function timeLimit(ms: number, stop: (error: TimeLimitError) => void, { after }: Clock) {
  let timer: Timer | undefined;
  let isOver = false;
  const restart = () => {
    timer?.cancel();
    if (!isOver) timer = after(ms, () => stop(new TimeLimitError(`no progress within ${ms} ms`)));
  };
  const end = () => {
    isOver = true;
    timer?.cancel();
  };
  return { restart, end };
}
