import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { CodedError } from '../../core/errors.ts';

const FREE = /^\/(healthz$|readyz$|assets\/)/;

/** How often one address may do something in a window of time. */
export interface Cap {
  requests: number;
  windowMs: number;
}

/** Counts something by address. */
export function createCap({ requests, windowMs }: Cap) {
  const seen = new Map<string, number>();
  let endsAt = 0;
  return { add, refuse };

  /** Counts once, and refuses what is too much. */
  function add(request: FastifyRequest, reply: FastifyReply): void {
    seen.set(request.ip, countOf(request) + 1);
    refuse(request, reply, requests + 1);
  }

  /** @throws CodedError FF_HTTP_TOO_MANY if as many were counted */
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
    // Probes of the process must not fail because of others behind the same address. Assets are in memory.
    if (!FREE.test(request.url)) cap.add(request, reply);
  };
}
