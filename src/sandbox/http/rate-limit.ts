import type { onRequestHookHandler } from 'fastify';
import { ApiError } from './errors.ts';

const windowMs = 1000;

/**
 * Allows so many requests within any second and refuses the others with a 429, whose Retry-After is when the next one will be
 * allowed. RateLimit headers say how many are left. Behind the check of the token: there is one, so all requests count together.
 */
export function rateLimitHook(perSecond: number): onRequestHookHandler {
  let arrivals: number[] = [];
  return (_request, reply, done) => {
    const now = performance.now();
    arrivals = arrivals.filter((at) => at > now - windowMs);
    const isAllowed = arrivals.length < perSecond;
    if (isAllowed) arrivals.push(now);
    const seconds = String(Math.ceil((windowMs - Math.floor(now - (arrivals[0] ?? now))) / 1000));
    reply.header('ratelimit-limit', String(perSecond));
    reply.header('ratelimit-remaining', String(perSecond - arrivals.length));
    reply.header('ratelimit-reset', seconds);
    if (isAllowed) return done();
    done(new ApiError(429, `More than ${perSecond} requests within a second.`, { 'retry-after': seconds }));
  };
}
