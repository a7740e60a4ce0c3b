import type { FastifyRequest } from 'fastify';

/** Where the API is. */
export const apiPrefix = '/api/v1';

/** Returns the route of a request below the API: "/calendar/events/:id"; undefined for an unknown path. */
export function routeOf(request: FastifyRequest): string | undefined {
  return request.routeOptions.url?.slice(apiPrefix.length);
}
