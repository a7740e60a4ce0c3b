import { parse } from 'node:querystring';
import cookies from '@fastify/cookie';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Act } from '../app/actions/actions.ts';
import type { EditMode } from '../app/environment.ts';
import type { Person } from '../core/access/person.ts';
import { CodedError, messageOf } from '../core/errors.ts';
import type { Queries } from '../queries/create-queries.ts';
import { createAccessList, type Tokens } from './access/access-list.ts';
import { createGuard, isPage } from './access/guard.ts';
import { compressionHook, nullCharacterHook, securityHeadersHook } from './access/hooks.ts';
import { type LogInPage, logInRoutes, logOutRoutes } from './access/log-in.ts';
import { originHook } from './access/origin.ts';
import { ownerRoutes } from './access/owner-link.ts';
import type { Cap } from './access/rate-cap.ts';
import type { SessionStore } from './access/session.ts';
import type { Viewer } from './access/viewer.ts';
import { apiRoutes } from './api/api.ts';
import { assetRoutes } from './assets.ts';
import { type Metrics, metricsRoutes } from './metrics.ts';
import { httpProblem, type Problem } from './problem.ts';
import { inTime } from './reading.ts';
import type { ViewedQueries } from './viewed-queries.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Queries that return what the viewer of the request may see. */
    queries: Queries;
  }
}

const MAX_BODY_BYTES = 16 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;
const CHECK_EVERY_MS = 1_000;
/** Default limit for one client. */
const RATE_CAP = { requests: 1_000, windowMs: 60_000 };

/** What is served, and to which clients. */
export interface ServerOptions {
  port: number;
  host: string;
  /** Shared token of each role. Without any token and without people, only this machine has access. */
  tokens: Tokens;
  /** Returns the people who have tokens of their own, or whom a proxy may name. */
  people?: (() => readonly Person[]) | undefined;
  /** Returns whether the headers of a proxy at an address count. */
  isTrustedProxy?: ((address: string) => boolean) | undefined;
  /** Header in which a trusted proxy names the person. */
  userHeader?: string | undefined;
  /** Address of the console for its users, if a proxy is in front of the server. */
  publicUrl?: string;
  log: Logger;
  /** Rejects while the process cannot work. */
  isReady: () => Promise<unknown>;
  metrics: Metrics;
  sessions: SessionStore;
  /** If absent, the server has neither pages nor API. */
  console?: ConsoleParts;
  /** What people with the permission to configure may do; default: nothing. */
  edit?: EditMode;
  /** Limit for one client; default: 1,000 requests a minute. */
  rateCap?: Cap;
  /** How long a request may take to arrive; default: 10 s. */
  requestTimeoutMs?: number;
}

/** What the pages and the API show and do. */
export interface ConsoleParts extends ViewedQueries {
  version: string;
  /** Returns the address of the CMS in the config in force. */
  cmsUrl(): string;
  /** Returns the function that acts with the config in force. */
  act(): Act;
  pages: Pages;
}

/** The pages for people. All texts are HTML. */
export interface Pages {
  routes(server: FastifyInstance): void;
  logIn(page: LogInPage): string;
  error(problem: Problem, viewer: Viewer | undefined): string;
  /** The page of a feed for an owner who has a link. */
  owner(sync: string, link: string): Promise<{ page: string; works: boolean }>;
}

/**
 * Serves health to all, and metrics, the console and its API to clients with access.
 * @returns `url` without a slash at its end
 * @throws CodedError FF_HTTP_LISTEN
 */
export async function startServer(options: ServerOptions) {
  const { port, host, publicUrl, log, isReady, metrics, sessions, console: parts } = options;
  const { tokens, people, userHeader, isTrustedProxy, edit = 'off' } = options;
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, rateCap = RATE_CAP } = options;
  const server = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: requestTimeoutMs,
    // By default, Node looks for slow requests every 30 s only.
    http: { connectionsCheckingInterval: CHECK_EVERY_MS, headersTimeout: requestTimeoutMs },
    // What a proxy says of its clients counts only if the proxy is trusted: anyone can send its headers.
    trustProxy: isTrustedProxy ?? false,
    // A slow client does not keep the process alive.
    forceCloseConnections: true,
    frameworkErrors: onError,
  });
  server.decorateRequest('viewer').decorateRequest('queries');
  const accessList = createAccessList(tokens, people);
  const guard = createGuard({ accessList, sessions, userHeader, isTrustedProxy, rateCap, edit });
  // Only JSON and, for pages, forms are accepted: websites can send plain text from a browser without a preflight request.
  server.removeContentTypeParser('text/plain');
  server.addHook(
    'onRequest',
    securityHeadersHook(() => parts?.cmsUrl()),
  );
  server.addHook('onRequest', originHook(publicUrl));
  server.addHook('preValidation', nullCharacterHook);
  server.addHook('onSend', compressionHook);
  server.setErrorHandler(onError);
  server.setNotFoundHandler({ preHandler: guard.strangerHook }, async (request, reply) => {
    // A person may load the address of a form again, which only takes a POST: its page is above it.
    const [page] = /^\/(?:syncs|runs|feeds)\/[^/?]+(?=\/)/.exec(request.url) ?? [];
    if (page && parts && request.method === 'GET' && isPage(request)) return reply.redirect(page, 303);
    await onError(new CodedError('FF_HTTP_NOT_FOUND', 'There is nothing at this address.'), request, reply);
  });
  await server.register(cookies);

  healthRoutes(server, isReady);
  if (parts) {
    assetRoutes(server);
    ownerRoutes(server, { guard, render: parts.pages.owner });
    await server.register(async (open) => {
      acceptForms(open);
      logInRoutes(open, { guard, accessList, sessions, publicUrl, render: parts.pages.logIn });
    });
  }
  await server.register(async (guarded) => {
    guarded.addHook('onRequest', guard.accessHook);
    guarded.addHook('preHandler', guard.formHook);
    metricsRoutes(guarded, metrics);
    if (parts) await guarded.register((scope) => consoleRoutes(scope, parts, { sessions, publicUrl }));
  });
  return { url: await listen(), close: () => server.close() };

  async function listen(): Promise<string> {
    try {
      return await server.listen({ port, host });
    } catch (error) {
      await server.close();
      throw new CodedError('FF_HTTP_LISTEN', `The HTTP server cannot listen: ${messageOf(error)}`, { cause: error });
    }
  }

  async function onError(error: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const problem = httpProblem(error);
    if (problem.status >= 500)
      log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'An HTTP request failed.');
    await sendProblem(problem, request, reply);
  }

  async function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { status, code, message, remedy } = problem;
    reply.code(status);
    if (!parts || !isPage(request)) await reply.send({ error: { code, message, remedy } });
    else await reply.type('text/html; charset=utf-8').send(parts.pages.error(problem, request.viewer));
  }
}

async function consoleRoutes(
  server: FastifyInstance,
  parts: ConsoleParts,
  { sessions, publicUrl }: Pick<ServerOptions, 'sessions' | 'publicUrl'>,
): Promise<void> {
  const { queriesFor, changed, act, pages, version } = parts;
  server.addHook('onRequest', async (request) => {
    request.queries = queriesFor(request.viewer);
  });
  server.addHook('onSend', async ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') changed();
  });
  apiRoutes(server, act, version);
  await server.register(async (forPeople) => {
    acceptForms(forPeople);
    logOutRoutes(forPeople, sessions, publicUrl);
    pages.routes(forPeople);
  });
}

/**
 * Serves `/healthz` (the process is alive) and `/readyz` (its ledger responds). Both are public, so they reveal nothing else.
 * @param isReady rejects while the process cannot work
 */
function healthRoutes(server: FastifyInstance, isReady: () => Promise<unknown>): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    try {
      await inTime(isReady());
      return { status: 'ready' };
    } catch {
      return reply.code(503).send({ status: 'the ledger does not respond' });
    }
  });
}

function acceptForms(pages: FastifyInstance): void {
  const options = { parseAs: 'string' } as const;
  pages.addContentTypeParser('application/x-www-form-urlencoded', options, async (_request: unknown, body: string) =>
    parse(body),
  );
}
