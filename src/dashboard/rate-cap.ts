import type { onRequestAsyncHookHandler } from 'fastify';
import { CodedError } from '../core/errors.ts';

/**
 * Answers so many requests of one address in a window of time and refuses the rest, so that nobody keeps the ledger busy or
 * guesses a token.
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
    throw new CodedError('FF_HTTP_TOO_MANY', `More than ${requests} requests came from one address.`);
  };
}
