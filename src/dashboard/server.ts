import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { CodedError } from '../core/errors.ts';
import type { RunService } from '../core/run-service.ts';
import { answerTo } from './answers.ts';
import { apiRoutes } from './api.ts';
import { accessHook } from './auth.ts';
import type { Board, BoardQueue } from './board.ts';
import { securityHeadersHook } from './headers.ts';
import { healthRoutes } from './health.ts';
import { type Metrics, metricsRoutes } from './metrics.ts';
import { rateCapHook } from './rate-cap.ts';

const MAX_BODY_BYTES = 16 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;
/** For one address. */
const RATE_CAP = { requests: 1_000, windowMs: 60_000 };

/** What is served, and to whom. */
export interface DashboardOptions {
  port: number;
  host: string;
  /** Absent: whoever is on this machine may ask. */
  token?: string;
  log: Logger;
  /** Rejects while the process can do no work. */
  isReady: () => Promise<unknown>;
  metrics: Metrics;
  /** Absent: no API. */
  runs?: RunService;
  /** Requests of one address that are answered; default: 1,000 a minute. */
  rateCap?: { requests: number; windowMs: number };
  /** Absent: no board. */
  queues?: readonly BoardQueue[];
}

export interface Dashboard {
  /** Without a slash at its end. */
  url: string;
  /** Shows other queues than before, where there is a board. */
  showQueues(queues: readonly BoardQueue[]): void;
  close(): Promise<void>;
}

/**
 * Serves health to all, and metrics, the API and the queue board to those who may ask.
 * @throws CodedError FF_HTTP_LISTEN
 */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { port, host, token, log, isReady, metrics, runs, queues, rateCap = RATE_CAP } = options;
  const server = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Who is slow to ask does not keep the process from its end.
    forceCloseConnections: true,
    frameworkErrors: onError,
  });
  // What a website may send from a browser without asking first is not taken: only JSON is.
  server.removeContentTypeParser('text/plain');
  server.addHook('onRequest', securityHeadersHook);
  server.addHook('onRequest', rateCapHook(rateCap));
  server.setErrorHandler(onError);
  server.setNotFoundHandler((_request, reply) => {
    const error = new CodedError('FF_HTTP_REQUEST', 'Nothing is served there.');
    return reply.code(404).send(answerTo(error).body);
  });

  let board: Board | undefined;
  healthRoutes(server, isReady);
  await server.register(async (guarded) => {
    guarded.addHook('onRequest', accessHook(token));
    metricsRoutes(guarded, metrics);
    if (runs) apiRoutes(guarded, runs);
    // Loaded only where it is shown.
    if (queues) board = await (await import('./board.ts')).boardRoutes(guarded, queues);
  });
  return {
    url: await listen(),
    showQueues: (others) => board?.show(others),
    close: () => server.close(),
  };

  async function listen(): Promise<string> {
    try {
      return await server.listen({ port, host });
    } catch (error) {
      await server.close();
      const reason = error instanceof Error ? error.message : String(error);
      throw new CodedError('FF_HTTP_LISTEN', `The HTTP server cannot listen: ${reason}`, { cause: error });
    }
  }

  async function onError(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { status, body } = answerTo(error);
    if (status >= 500)
      log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'HTTP trouble.');
    await reply.code(status).send(body);
  }
}
