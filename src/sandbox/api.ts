import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Fault, type Faults, slowly, truncated } from './faults.ts';
import { ApiError, errorBody, refuseUnknownPath } from './http/errors.ts';
import { bearerHook, checkClientHeaders } from './http/headers.ts';
import { acceptJsonBodies } from './http/json-body.ts';
import { newItems } from './late-items.ts';
import type { SandboxSwitches } from './options.ts';
import type { ResourceKind } from './resource.ts';
import { resourceRoutes } from './resource-routes.ts';
import type { Counters } from './stats.ts';
import type { SandboxUploads } from './store/upload-store.ts';
import { uploadPath, uploadRoutes } from './upload.ts';

interface ApiParts {
  kinds: ResourceKind[];
  uploads: SandboxUploads;
  switches: SandboxSwitches;
  token: string;
  faults: Faults;
  counters: Counters;
  /** Aborted when the sandbox closes. */
  closing: AbortSignal;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const prefix = '/api/v1';

/** The API itself, to be registered under /api/v1: checks, faults and counters around its routes. */
export async function cmsRoutes(api: FastifyInstance, parts: ApiParts): Promise<void> {
  acceptJsonBodies(api);
  countRequests(api, parts.counters);
  api.addHook('onRequest', bearerHook(parts.token));
  api.addHook('onRequest', async (request) => checkClientHeaders(request, parts.switches.missingHeader));
  strikeFaults(api, parts);
  for (const kind of parts.kinds) resourceRoutes(api, kind, parts.switches);
  await uploadRoutes(api, parts.uploads, parts.switches);
  const paths = [...parts.kinds.flatMap(({ path }) => [path, `${path}/:id`]), uploadPath];
  for (const path of paths) refuseOtherMethods(api, path);
  api.setNotFoundHandler(refuseUnknownPath);
}

function countRequests(api: FastifyInstance, counters: Counters): void {
  api.addHook('onRequest', async (request, reply) => {
    counters.arrive();
    const route = `${request.method} ${request.routeOptions.url?.slice(prefix.length) ?? '(unknown path)'}`;
    // 'close' comes once, whether the response was sent or the connection broke.
    reply.raw.once('close', () => {
      counters.end(route, reply.raw.writableFinished ? String(reply.statusCode) : 'broken');
    });
  });
}

/** Faults strike requests that would otherwise be served. */
function strikeFaults(api: FastifyInstance, { faults, closing }: ApiParts): void {
  const drawn = new WeakMap<FastifyRequest, Fault[]>();
  const created = newItems();

  api.addHook('preHandler', async (request, reply) => {
    const struck = faults.draw(request.method, request.url);
    if (struck.length === 0) return;
    drawn.set(request, struck);
    for (const fault of struck) {
      if (fault.kind === 'latency') await faults.latency(fault);
      else if (fault.kind === 'rateLimit') throw tooManyRequests(fault.retryAfter);
      else if (fault.kind === 'unauthorized') throw new ApiError(401, 'The token is no longer valid.');
      else if (fault.kind === 'error' && fault.when === 'before') throw new ApiError(fault.status, 'A fault, before.');
      else if (fault.kind === 'reset' && fault.when === 'before') breakConnection(request, reply);
      else if (fault.kind === 'itemMissing' && readsItem(request)) throw new ApiError(404, 'A fault: it exists.');
      else if (fault.kind === 'emptyList' && readsList(request)) return reply.send(emptyList);
    }
  });

  api.addHook('onSend', async (request, reply, payload: unknown) => {
    let body = payload;
    if (reply.statusCode >= 400) return body;
    if (request.method === 'POST' && typeof payload === 'string') created.note(request, payload);
    for (const fault of drawn.get(request) ?? []) {
      if (fault.kind === 'error') body = lateError(reply, fault.status);
      else if (fault.kind === 'reset') breakConnection(request, reply);
      else if (fault.kind === 'lateItems' && readsList(request)) body = created.hide(request, String(body), fault);
      else if (fault.kind === 'slowBody') body = streamed(reply, body, (bytes) => slowly(bytes, fault.ms, closing));
      else if (fault.kind === 'truncate') body = streamed(reply, body, truncated);
    }
    return body;
  });
}

const emptyList = {
  data: [],
  pagination: { currentPage: 1, perPage: 20, count: 0, totalPages: 0, total: 0, links: {} },
  totalItems: 0,
};

function readsItem({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' && routeOptions.url?.endsWith('/:id') === true;
}

function readsList(request: FastifyRequest): boolean {
  return request.method === 'GET' && !readsItem(request);
}

function tooManyRequests(retryAfter: number): ApiError {
  return new ApiError(429, `Too many requests: try again in ${retryAfter} s.`, { 'retry-after': String(retryAfter) });
}

/** Resets the TCP connection, so that the client does not learn what was done. */
function breakConnection(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack();
  request.raw.socket.resetAndDestroy();
}

function lateError(reply: FastifyReply, status: number): string {
  const body = JSON.stringify(errorBody(status, ['A fault, after the request was applied.']));
  reply.code(status).header('content-type', 'application/json; charset=utf-8');
  reply.header('content-length', Buffer.byteLength(body));
  return body;
}

/** Announces the whole length; the generator decides what arrives, and when. */
function streamed(reply: FastifyReply, body: unknown, stream: (bytes: Buffer) => AsyncIterable<Buffer>): unknown {
  if (typeof body !== 'string' || body === '') return body;
  const bytes = Buffer.from(body);
  reply.header('content-length', bytes.length);
  return Readable.from(stream(bytes), { objectMode: false });
}

/** A known path with a method that it does not have is a 405 (RFC 9110, 15.5.6). */
function refuseOtherMethods(api: FastifyInstance, path: string): void {
  const isServed = (method: (typeof methods)[number]) => api.hasRoute({ method, url: `${prefix}${path}` });
  const allow = methods.filter(isServed).join(', ');
  api.route({
    method: methods.filter((method) => method !== 'HEAD' && !isServed(method)),
    url: path,
    // Before the body is read, so that its type does not matter.
    onRequest: async () => {
      throw new ApiError(405, `This path takes ${allow}.`, { allow });
    },
    handler: async () => undefined,
  });
}
