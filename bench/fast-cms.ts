// A CMS in memory that answers as soon as it can: fast-cms.ts <latency in ms>, started by cms-process.ts. It checks nothing.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** What arrived since the last time it was asked for. */
export interface Traffic {
  requests: number;
  writes: number;
  /** From the arrival of the first write until the last answer to one. */
  writeSeconds: number;
  /** The most requests that were answered at the same time. */
  peakInFlight: number;
}

const EVENTS = '/api/v1/calendar/events';
const latencyMs = Number(process.argv[2]);
const items = new Map<number, object>();
let traffic = noTraffic();
let inFlight = 0;

const server = createServer(async (request, response) => {
  const isWrite = request.method !== 'GET';
  traffic.requests += 1;
  inFlight += 1;
  traffic.peakInFlight = Math.max(traffic.peakInFlight, inFlight);
  if (isWrite && traffic.writes++ === 0) traffic.firstWriteAt = performance.now();
  const [status, body] = await answer(request);
  if (latencyMs > 0) await sleep(latencyMs);
  inFlight -= 1;
  if (isWrite) traffic.lastAnswerAt = performance.now();
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}`, token: 'bench' });
});

process.on('message', () => {
  const { requests, writes, peakInFlight, firstWriteAt, lastAnswerAt } = traffic;
  const seen: Traffic = {
    requests,
    writes,
    peakInFlight,
    writeSeconds: Math.max(0, lastAnswerAt - firstWriteAt) / 1000,
  };
  traffic = noTraffic();
  process.send?.(seen);
});
process.once('disconnect', () => process.exit());

async function answer(request: IncomingMessage): Promise<[status: number, body: object]> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://cms');
  const id = Number(pathname.slice(EVENTS.length + 1));
  if (request.method === 'GET') return [200, id > 0 ? (items.get(id) ?? {}) : listed(searchParams)];
  const isNew = request.method === 'POST';
  const number = isNew ? items.size + 1 : id;
  const item = { ...items.get(number), ...((await json(request)) as object), id: number };
  items.set(number, item);
  return [isNew ? 201 : 200, item];
}

function listed(query: URLSearchParams): object {
  const [limit, page] = [Number(query.get('limit') ?? 20), Number(query.get('page') ?? 1)];
  const data = [...items.values()].slice((page - 1) * limit, page * limit);
  const pagination = {
    currentPage: page,
    perPage: limit,
    count: data.length,
    totalPages: Math.ceil(items.size / limit),
  };
  return { data, pagination: { ...pagination, total: items.size }, totalItems: items.size };
}

function noTraffic() {
  return { requests: 0, writes: 0, peakInFlight: 0, firstWriteAt: 0, lastAnswerAt: 0 };
}
