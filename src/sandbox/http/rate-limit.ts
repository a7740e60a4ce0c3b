import type { onRequestHookHandler } from 'fastify';
import { ApiError } from './errors.ts';

const windowMs = 1000;

/**
 * Allows a number of requests within any second and refuses the others with a 429, whose Retry-After is the time until the
 * next allowed request. RateLimit headers show how many requests are left. Runs after the check of the token: there is only
 * one token, so all requests count together.
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
