import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, errorBody } from '../../../src/sandbox/http/errors.ts';
import { type Fault, type Faults, slowly, truncated } from './faults.ts';
import { newItems } from './late-items.ts';
import { routeOf } from './requests.ts';

const drawn = new WeakMap<FastifyRequest, Fault[]>();

/** Returns the fault of a kind that strikes a request, if one does. */
export function struckBy<Kind extends Fault['kind']>(
  request: FastifyRequest,
  kind: Kind,
): Extract<Fault, { kind: Kind }> | undefined {
  return drawn.get(request)?.find((fault): fault is Extract<Fault, { kind: Kind }> => fault.kind === kind);
}

/** Strikes requests that would otherwise be served. `onStrike` is called with the faults that strike a request. */
export function strikeFaults(
  api: FastifyInstance,
  faults: Faults,
  closing: AbortSignal,
  onStrike: (request: FastifyRequest, struck: Fault[]) => void,
): void {
  const created = newItems();

  api.addHook('preHandler', async (request, reply) => {
    const { method, url: path } = request;
    const struck = faults.draw({ method, path, route: routeOf(request) });
    if (struck.length === 0) return;
    drawn.set(request, struck);
    onStrike(request, struck);
    for (const fault of struck) {
      if (fault.kind === 'latency') await faults.latency(fault);
      else if (fault.kind === 'hold') await faults.hold();
      else if (fault.kind === 'rateLimit') throw tooManyRequests(fault.retryAfter);
      else if (fault.kind === 'unauthorized') throw new ApiError(401, 'The token is no longer valid.');
      else if (fault.kind === 'error' && fault.when === 'before') throw new ApiError(fault.status, 'A fault, before.');
      else if (fault.kind === 'page' && fault.when === 'before') return reply.send(showPage(reply, fault));
      else if (fault.kind === 'reset' && fault.when === 'before') breakConnection(request, reply);
      else if (fault.kind === 'itemMissing' && readsItem(request)) throw new ApiError(404, 'A fault: it exists.');
      else if (fault.kind === 'emptyList' && readsList(request)) return reply.send(emptyList);
    }
  });

  api.addHook('onSend', async (request, reply, payload: unknown) => {
    let body = payload;
    if (reply.statusCode >= 400) return body;
    if (request.method === 'POST' && isOurs(reply)) created.note(request, String(payload));
    for (const fault of drawn.get(request) ?? []) {
      if (fault.kind === 'error') body = lateError(reply, fault.status);
      else if (fault.kind === 'page') body = showPage(reply, fault);
      else if (fault.kind === 'reset') breakConnection(request, reply);
      else if (fault.kind === 'lateItems' && isOurs(reply) && readsList(request))
        body = created.hide(request, String(body), fault);
      else if (fault.kind === 'slowBody') body = streamed(reply, body, (bytes) => slowly(bytes, fault.ms, closing));
      else if (fault.kind === 'truncate') body = streamed(reply, body, (bytes) => truncated(bytes, fault.bytes));
    }
    return body;
  });
}

const emptyList = {
  data: [],
  pagination: { currentPage: 1, perPage: 20, count: 0, totalPages: 0, total: 0, links: {} },
  totalItems: 0,
};

function readsItem(request: FastifyRequest): boolean {
  return request.method === 'GET' && routeOf(request)?.endsWith('/:id') === true;
}

function readsList(request: FastifyRequest): boolean {
  return request.method === 'GET' && !readsItem(request);
}

/** No fault has replaced the response yet. */
function isOurs(reply: FastifyReply): boolean {
  return reply.statusCode < 300 && String(reply.getHeader('content-type')).startsWith('application/json');
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

/** Returns a page as proxies and sites under maintenance send it instead of JSON. */
function showPage(reply: FastifyReply, { status, html }: { status: number; html: string }): string {
  reply.code(status).header('content-type', 'text/html; charset=utf-8');
  reply.header('content-length', Buffer.byteLength(html));
  return html;
}

/** Announces the whole length; the generator decides what arrives, and when. */
function streamed(reply: FastifyReply, body: unknown, stream: (bytes: Buffer) => AsyncIterable<Buffer>): unknown {
  if (typeof body !== 'string' || body === '') return body;
  const bytes = Buffer.from(body);
  reply.header('content-length', bytes.length);
  return Readable.from(stream(bytes), { objectMode: false });
}
