import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Payload } from '../../../src/core/record.ts';
import type { ItemTable } from '../../../src/sandbox/store/store.ts';
import type { Exchange, ItemChange } from './exchange.ts';
import type { Fault } from './faults.ts';
import { maskHeaders, maskPasswords } from './mask.ts';
import { onResponseEnd, routeOf } from './requests.ts';

interface RecorderParts {
  /** The resources: their paths and their items. */
  kinds: ReadonlyArray<{ path: string; ofEvents: boolean; table: ItemTable }>;
  now: () => number;
  /** Called once the response has left, or the connection has broken. */
  onExchange: (exchange: Exchange) => void;
}

/** The facts about an exchange so far. */
interface OpenExchange {
  /** Empty for a form, which may be long. */
  requestBody: Buffer[];
  requestBytes: number;
  /** Text, or the pieces of a stream. */
  responseBody: string | Buffer[];
  /** The connection broke before the response could be sent. */
  isBroken: boolean;
  faults: Fault[];
  before?: { id: number; data: Payload | null };
  change?: ItemChange;
}

export type ExchangeRecorder = ReturnType<typeof exchangeRecorder>;

/** Records requests and their responses without touching them. */
export function exchangeRecorder({ kinds, now, onExchange }: RecorderParts) {
  const open = new WeakMap<FastifyRequest, OpenExchange>();
  let count = 0;

  function begin(request: FastifyRequest, reply: FastifyReply): void {
    const exchange: OpenExchange = { requestBody: [], requestBytes: 0, responseBody: '', isBroken: false, faults: [] };
    open.set(request, exchange);
    count += 1;
    const id = count;
    const at = new Date(now()).toISOString();
    const start = performance.now();
    watch(request.raw, (piece) => {
      exchange.requestBytes += piece.length;
      if (!formOf(request)) exchange.requestBody.push(piece);
    });
    onResponseEnd(reply, () => {
      const ms = Math.round((performance.now() - start) * 10) / 10;
      onExchange({ id, at, ...shown(request, reply, exchange), ms });
    });
  }

  function shown(
    request: FastifyRequest,
    reply: FastifyReply,
    exchange: OpenExchange,
  ): Omit<Exchange, 'id' | 'at' | 'ms'> {
    const { method, url, headers } = request;
    const { requestBody, requestBytes, responseBody, isBroken, faults, change } = exchange;
    const form = formOf(request);
    const hasBegun = reply.raw.headersSent && !isBroken;
    const route = routeOf(request);
    return {
      method,
      path: url,
      ...(route !== undefined && { route }),
      requestHeaders: maskHeaders(headers),
      requestBody: form ? `(${requestBytes} bytes of ${form})` : maskPasswords(textOf(requestBody)),
      status: hasBegun ? reply.statusCode : 0,
      responseHeaders: hasBegun ? maskHeaders(reply.getHeaders()) : {},
      responseBody: maskPasswords(textOf(responseBody)),
      complete: reply.raw.writableFinished && !isBroken,
      faults,
      ...(change && { change }),
    };
  }

  /** Records the item before the handler runs, which follows without a pause. */
  function noteBefore(request: FastifyRequest): void {
    const { id: text } = request.params as { id?: string };
    const kind = kindOf(request);
    const exchange = open.get(request);
    if (!kind || !exchange || request.method === 'GET' || request.method === 'HEAD') return;
    const id = Number(text ?? 0);
    exchange.before = { id, data: (Number.isSafeInteger(id) && kind.table.find(id)?.data) || null };
  }

  /** Records the item after the handler has run. */
  function noteAfter(request: FastifyRequest, payload: unknown): void {
    const exchange = open.get(request);
    const kind = kindOf(request);
    if (!kind || !exchange?.before) return;
    const { data: before } = exchange.before;
    const id = exchange.before.id || createdId(payload);
    const after = (Number.isSafeInteger(id) && kind.table.find(id)?.data) || null;
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      exchange.change = withoutPasswords({ resource: kind.ofEvents ? 'events' : 'accounts', id, before, after });
    }
  }

  function kindOf(request: FastifyRequest) {
    const route = routeOf(request);
    return kinds.find(({ path }) => route === path || route === `${path}/:id`);
  }

  function recordResponse(request: FastifyRequest, exchange: OpenExchange, payload: unknown): void {
    exchange.isBroken = request.raw.socket.destroyed;
    if (exchange.isBroken) return;
    if (typeof payload === 'string') exchange.responseBody = payload;
    else if (payload) {
      const pieces: Buffer[] = [];
      exchange.responseBody = pieces;
      watch(payload as Readable, (piece) => pieces.push(piece));
    }
  }

  return {
    /** Adds the hooks that come before all others. They must not pause: the first piece of the body would be lost. */
    beginWith(api: FastifyInstance): void {
      api.addHook('onRequest', (request, reply, done) => {
        begin(request, reply);
        done();
      });
      api.addHook('onSend', (request, _reply, payload, done) => {
        noteAfter(request, payload);
        done(null, payload);
      });
    },
    /** Adds the hooks that come after all others. */
    endWith(api: FastifyInstance): void {
      api.addHook('preHandler', (request, _reply, done) => {
        noteBefore(request);
        done();
      });
      api.addHook('onSend', (request, _reply, payload, done) => {
        const exchange = open.get(request);
        if (exchange) recordResponse(request, exchange, payload);
        done(null, payload);
      });
    },
    strike: (request: FastifyRequest, faults: Fault[]): void => void open.get(request)?.faults.push(...faults),
  };
}

/** Sees the content of a stream without reading it, so that nothing changes for the stream's reader. */
function watch(stream: Readable, onPiece: (piece: Buffer) => void): void {
  const push = stream.push.bind(stream);
  stream.push = (piece, encoding) => {
    if (piece !== null) onPiece(piece);
    return push(piece, encoding);
  };
}

function withoutPasswords(change: ItemChange): ItemChange {
  const text = JSON.stringify(change);
  const shown = maskPasswords(text);
  return shown === text ? change : JSON.parse(shown);
}

/** Returns the media type of a form. */
function formOf({ headers }: FastifyRequest): string | undefined {
  return /^multipart\/[\w-]+/i.exec(headers['content-type'] ?? '')?.[0];
}

function textOf(body: string | Buffer[]): string {
  return typeof body === 'string' ? body : Buffer.concat(body).toString();
}

function createdId(payload: unknown): number {
  const { id } = JSON.parse(String(payload)) as { id?: number | string };
  return Number(id);
}
