import type { onRequestAsyncHookHandler } from 'fastify';
import { CodedError } from '../core/errors.ts';

/**
 * Limits the requests of one address in a window of time, so that no client keeps the ledger busy or guesses the token.
 */
export function rateCapHook({ requests, windowMs }: { requests: number; windowMs: number }): onRequestAsyncHookHandler {
  const seen = new Map<string, number>();
  let endsAt = 0;
  return async (request, reply) => {
    const now = performance.now();
    if (now >= endsAt) {
      seen.clear();
      endsAt = now + windowMs;
    }
    const count = (seen.get(request.ip) ?? 0) + 1;
    seen.set(request.ip, count);
    if (count <= requests) return;
    reply.header('retry-after', Math.ceil((endsAt - now) / 1000));
    throw new CodedError(
      'FF_HTTP_TOO_MANY',
      `More than ${requests} requests from one address within ${windowMs / 1000} s.`,
    );
  };
}
