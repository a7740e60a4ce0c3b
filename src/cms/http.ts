import { type ErrorCode, toCodedError } from '../core/errors.ts';
import type { Gate, Passage, RequestEnd } from '../core/gate.ts';
import type { Clock } from '../core/runtime/clock.ts';
import { CmsError } from './errors.ts';
import { unsentError } from './network.ts';
import type { CmsRequest } from './request.ts';
import { type CmsResponse, readResponse } from './response.ts';
import { createTransport, type Transport, type TransportOptions, type Trip } from './transport.ts';

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

/** How to send requests, and what messages of the client must not repeat. */
export interface HttpOptions extends Omit<TransportOptions, 'connections'> {
  token: string;
  concurrency: number;
  gate?: Gate;
  stopping?: AbortSignal;
  onResponse?: (info: ResponseInfo) => void;
  transport?: Transport;
}

/**
 * One spare connection for this many, if a gate limits the requests: a connection that has just answered is not reused at
 * once, because it may close.
 */
const SPARE = 4;

/** Sends requests, each once. */
export type Http = ReturnType<typeof createHttp>;

/** Opens connections to one CMS (API: "Request rules for every endpoint"). Redirects are not followed. */
export function createHttp(options: HttpOptions) {
  const { token, concurrency, gate, stopping, onResponse, clock } = options;
  const connections = gate ? concurrency + Math.ceil(concurrency / SPARE) : concurrency;
  const { transport = createTransport({ ...options, connections }) } = options;
  return { send, close: transport.close };

  /** @throws CmsError */
  async function send<Result>(request: CmsRequest<Result>): Promise<Result> {
    refuseIfOver(request);
    // While it waits: a confirmation may take a while.
    if (gate && request.confirm && !(await isConfirmed(request))) throw unsentError(request);
    const passage = await enter(request);
    let end: RequestEnd = { health: 'unknown' };
    const trip = tripOf(request);
    try {
      if (!(await isConfirmed(request))) throw unsentError(request);
      refuseIfOver(request);
      const result = await exchange(request, trip);
      end = { health: 'well' };
      return result;
    } catch (error) {
      if (error instanceof CmsError) end = { health: error.health, error, retryAfterMs: error.retryAfterMs };
      throw error;
    } finally {
      await passage?.leave({ ...end, ...timeOf(request, trip, clock) });
      // The next requests are sent before the caller looks at this response.
      await clock.sleep(0);
    }
  }

  function tripOf(request: CmsRequest<unknown>): Trip {
    return {
      onStart() {
        refuseIfOver(request);
        if (request.maySend?.() === false) throw unsentError(request);
        this.startedAt = clock.monotonic();
      },
    };
  }

  async function enter(request: CmsRequest<unknown>): Promise<Passage | undefined> {
    if (!gate) return undefined;
    const over = new AbortController();
    const end = ({ target }: Event) => over.abort((target as AbortSignal).reason);
    const signals = endsOf(request);
    for (const signal of signals) signal.addEventListener('abort', end, { once: true });
    try {
      return await gate.enter(over.signal);
    } catch (error) {
      refuseIfOver(request);
      throw error;
    } finally {
      for (const signal of signals) signal.removeEventListener('abort', end);
    }
  }

  /** The signals after which a request may not begin. */
  function endsOf({ signal, evenIfStopping }: CmsRequest<unknown>): AbortSignal[] {
    return [signal, evenIfStopping ? undefined : stopping].filter((each) => each !== undefined);
  }

  /** @throws CmsError */
  function refuseIfOver(request: CmsRequest<unknown>): void {
    const over = endsOf(request).find(({ aborted }) => aborted);
    if (over) throw unsentError(request, over.reason);
  }

  async function exchange<Result>(request: CmsRequest<Result>, trip: Trip): Promise<Result> {
    const startedAt = clock.monotonic();
    const info: Partial<ResponseInfo> = {};
    try {
      const response = await transport.receive(request, trip);
      info.status = response.status;
      info.answeredAt = clockOf(response);
      return readResponse(request, response, secretsOf(token, request), clock.now());
    } catch (thrown) {
      const error = toCodedError(thrown);
      info.error = error.code;
      throw error;
    } finally {
      const { method, operation } = request;
      onResponse?.({ method, operation, durationMs: clock.monotonic() - startedAt, ...info });
    }
  }
}

/** How long a request took after a connection took it; empty if that depends on the size of a file. */
function timeOf({ operation, form }: CmsRequest<unknown>, { startedAt }: Trip, { monotonic }: Clock) {
  return form || startedAt === undefined ? {} : { operation, tookMs: monotonic() - startedAt };
}

/** Whether the request is still wanted. Reading changes nothing, so it needs no confirmation. */
async function isConfirmed({ method, confirm }: CmsRequest<unknown>): Promise<boolean> {
  return method === 'GET' || !confirm || (await confirm());
}

function clockOf({ headers }: CmsResponse): number | undefined {
  const answeredAt = Date.parse(String(headers.date));
  return Number.isNaN(answeredAt) ? undefined : answeredAt;
}

/** Returns secrets that the CMS may repeat in an error message: the token and a password. */
function secretsOf(token: string, { body }: CmsRequest<unknown>): string[] {
  const password = body && 'password' in body ? body.password : undefined;
  if (typeof password !== 'string' || password === '') return [token];
  return [token, password];
}
