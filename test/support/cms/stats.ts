import type { FastifyInstance } from 'fastify';
import { onResponseEnd, routeOf } from './requests.ts';

/** Requests to and responses of the API since the start, or since the counters were last cleared. */
export interface TestCmsStats {
  /** All requests under /api/v1. */
  total: number;
  /** Method and route → requests, e.g. "POST /calendar/events". */
  requests: Record<string, number>;
  /** Requests that a fault has struck, counted as they arrive. */
  struck: number;
  /** Status → responses; "broken" if the connection ended before the response did. */
  answers: Record<string, number>;
  inFlight: number;
  peakInFlight: number;
  /** The most requests that arrived within any 1,000 ms. */
  peakPerSecond: number;
}

/** Counts requests as they arrive and end. */
export type Counters = ReturnType<typeof counters>;

/** Starts counting. */
export function counters() {
  let stats = zero(0);
  let inFlight = 0;
  let arrivals: number[] = [];

  return {
    arrive() {
      stats.total += 1;
      inFlight += 1;
      stats.peakInFlight = Math.max(stats.peakInFlight, inFlight);
      const at = performance.now();
      arrivals.push(at);
      while ((arrivals[0] ?? at) <= at - 1000) arrivals.shift();
      stats.peakPerSecond = Math.max(stats.peakPerSecond, arrivals.length);
    },
    strike() {
      stats.struck += 1;
    },
    /** Counts a request by its route, and by the status of its response. */
    end(route: string, status: string) {
      inFlight -= 1;
      stats.requests[route] = (stats.requests[route] ?? 0) + 1;
      stats.answers[status] = (stats.answers[status] ?? 0) + 1;
    },
    read: (): TestCmsStats => ({ ...stats, requests: { ...stats.requests }, answers: { ...stats.answers }, inFlight }),
    clear() {
      stats = zero(inFlight);
      arrivals = [];
    },
  };
}

function zero(inFlight: number): TestCmsStats {
  return { total: 0, requests: {}, struck: 0, answers: {}, inFlight, peakInFlight: inFlight, peakPerSecond: 0 };
}

/** Counts the requests of an API. */
export function countRequests(api: FastifyInstance, counters: Counters): void {
  api.addHook('onRequest', async (request, reply) => {
    counters.arrive();
    const route = `${request.method} ${routeOf(request) ?? '(unknown path)'}`;
    onResponseEnd(reply, () => {
      counters.end(route, reply.raw.writableFinished ? String(reply.statusCode) : 'broken');
    });
  });
}
