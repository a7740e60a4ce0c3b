import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { CodedError, type ErrorCode, messageOf } from '../core/errors.ts';
import type { RunService } from '../core/run-service.ts';
import { apiRoutes, healthRoutes } from './api.ts';
import type { BoardQueue } from './board.ts';
import { accessHook, rateCapHook, securityHeadersHook } from './hooks.ts';
import { type Metrics, metricsRoutes } from './metrics.ts';

const MAX_BODY_BYTES = 16 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;
const CHECK_EVERY_MS = 1_000;
/** For one address. */
const RATE_CAP = { requests: 1_000, windowMs: 60_000 };

const STATUSES: Partial<Record<ErrorCode, number>> = {
  FF_HTTP_UNAUTHORIZED: 401,
  FF_HTTP_REQUEST: 400,
  FF_HTTP_TOO_MANY: 429,
  FF_SYNC_UNKNOWN: 404,
  FF_RUN_UNKNOWN: 404,
  FF_RUN_BUSY: 409,
  FF_LEDGER_UNAVAILABLE: 503,
  FF_QUEUE_UNAVAILABLE: 503,
};

/** What is served, and to which clients. */
export interface DashboardOptions {
  port: number;
  host: string;
  /** Absent: only this machine has access. */
  token?: string;
  log: Logger;
  /** Rejects while the process cannot work. */
  isReady: () => Promise<unknown>;
  metrics: Metrics;
  /** Absent: no API. */
  runs?: () => RunService;
  /** Limit for one address; default: 1,000 requests a minute. */
  rateCap?: { requests: number; windowMs: number };
  /** How long a request may take to arrive; default: 10 s. */
  requestTimeoutMs?: number;
  /** Absent: no board. */
  queues?: readonly BoardQueue[];
}

/**
 * Serves health to all, and metrics, the API and the queue board to clients with access.
 * @returns `url` without a slash at its end
 * @throws CodedError FF_HTTP_LISTEN
 */
export async function startDashboard(options: DashboardOptions) {
  const { port, host, token, log, isReady, metrics, runs, queues, rateCap = RATE_CAP } = options;
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const server = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: requestTimeoutMs,
    // By default, Node looks for slow requests every 30 s only.
    http: { connectionsCheckingInterval: CHECK_EVERY_MS, headersTimeout: requestTimeoutMs },
    // A slow client does not keep the process alive.
    forceCloseConnections: true,
    frameworkErrors: onError,
  });
  // Only JSON is accepted: websites can send plain text from a browser without a preflight request.
  server.removeContentTypeParser('text/plain');
  server.addHook('onRequest', securityHeadersHook);
  server.addHook('onRequest', rateCapHook(rateCap));
  server.setErrorHandler(onError);
  server.setNotFoundHandler((_request, reply) => {
    const error = new CodedError('FF_HTTP_REQUEST', 'There is nothing at this address.');
    return reply.code(404).send(responseTo(error).body);
  });

  let showQueues = (_queues: readonly BoardQueue[]) => {};
  healthRoutes(server, isReady);
  await server.register(async (guarded) => {
    guarded.addHook('onRequest', accessHook(token));
    metricsRoutes(guarded, metrics);
    if (runs) apiRoutes(guarded, runs);
    // Loaded only if it is used.
    if (queues) showQueues = await (await import('./board.ts')).boardRoutes(guarded, queues);
  });
  return { url: await listen(), showQueues, close: () => server.close() };

  async function listen(): Promise<string> {
    try {
      return await server.listen({ port, host });
    } catch (error) {
      await server.close();
      throw new CodedError('FF_HTTP_LISTEN', `The HTTP server cannot listen: ${messageOf(error)}`, { cause: error });
    }
  }

  async function onError(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { status, body } = responseTo(error);
    if (status >= 500)
      log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'An HTTP request failed.');
    await reply.code(status).send(body);
  }
}

/** Returns the response to an error: no stack, and no details of an unexpected one. */
function responseTo(error: Error & { statusCode?: number }) {
  if (error instanceof CodedError && error.code !== 'FF_BUG') return response(STATUSES[error.code] ?? 500, error);
  const status = error instanceof CodedError ? 500 : (error.statusCode ?? 500);
  if (status >= 500) return response(500, new CodedError('FF_BUG', 'The request failed. The log has the details.'));
  return response(status, new CodedError('FF_HTTP_REQUEST', error.message));
}

function response(status: number, { code, message, remedy }: CodedError) {
  return { status, body: { error: { code, message, remedy } } };
}
