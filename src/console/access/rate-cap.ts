import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { CodedError } from '../../core/errors.ts';

const FREE = /^\/(healthz$|readyz$|assets\/)/;

/** Limit: how many requests one address may send in a window of time. */
export interface Cap {
  requests: number;
  windowMs: number;
}

/** Counts requests by address. */
export function createCap({ requests, windowMs }: Cap) {
  const seen = new Map<string, number>();
  let endsAt = 0;
  return { add, refuse };

  /** Counts a request, and refuses the request if there were too many. */
  function add(request: FastifyRequest, reply: FastifyReply): void {
    seen.set(request.ip, countOf(request) + 1);
    refuse(request, reply, requests + 1);
  }

  /** @throws CodedError FF_HTTP_TOO_MANY if at least `count` requests were counted for the address */
  function refuse(request: FastifyRequest, reply: FastifyReply, count = requests): void {
    if (countOf(request) < count) return;
    reply.header('retry-after', Math.ceil((endsAt - performance.now()) / 1000));
    const message = `More than ${requests} requests from one address within ${windowMs / 1000} s.`;
    throw new CodedError('FF_HTTP_TOO_MANY', message);
  }

  function countOf({ ip }: FastifyRequest): number {
    const now = performance.now();
    if (now >= endsAt) {
      seen.clear();
      endsAt = now + windowMs;
    }
    return seen.get(ip) ?? 0;
  }
}

/** Limits the requests of one address in a window of time, so that no client keeps the ledger busy. */
export function rateCapHook(options: Cap): onRequestAsyncHookHandler {
  const cap = createCap(options);
  return async (request, reply) => {
    // Health probes must not fail because of other clients behind the same address. Assets are in memory and cost little.
    if (!FREE.test(request.url)) cap.add(request, reply);
  };
}
