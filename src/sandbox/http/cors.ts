import type { onRequestHookHandler } from 'fastify';

/** Headers that scripts may read. */
const exposed = ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].join(', ');

/**
 * Lets scripts of other sites read responses, and answers the question that browsers ask before a request ("preflight").
 * @param origins such as "http://localhost:5173"; `*` for all. None: browsers refuse
 */
export function corsHook(origins: readonly string[]): onRequestHookHandler {
  return (request, reply, done) => {
    const { origin } = request.headers;
    if (origins.length > 0) reply.header('vary', 'Origin');
    if (origin === undefined || !(origins.includes(origin) || origins.includes('*'))) return done();
    reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposed);
    if (request.method !== 'OPTIONS') return done();
    reply
      .code(204)
      .header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
      .header('access-control-allow-headers', 'Accept, Authorization, Content-Type, User-Agent')
      .header('access-control-max-age', '600')
      .send();
  };
}
