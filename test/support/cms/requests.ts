import type { FastifyReply, FastifyRequest } from 'fastify';
import { apiPrefix } from '../../../src/sandbox/api.ts';

/** Returns the route of a request below the API: "/calendar/events/:id"; undefined for an unknown path. */
export function routeOf(request: FastifyRequest): string | undefined {
  return request.routeOptions.url?.slice(apiPrefix.length);
}

/**
 * Calls back once the response has left or the connection has broken. A response leaves before its client has it, so the
 * client finds everything that was recorded about it.
 */
export function onResponseEnd({ raw }: FastifyReply, callback: () => void): void {
  const end = () => {
    raw.off('finish', end).off('close', end);
    callback();
  };
  raw.on('finish', end).on('close', end);
}
