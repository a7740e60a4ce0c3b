import type { FastifyInstance } from 'fastify';
import type { Act } from '../../app/actions/actions.ts';
import { acting } from './acting.ts';
import { registerEndpoint } from './endpoint.ts';
import { readingEndpoints } from './reading.ts';

/** All endpoints of the JSON API, except its own description. */
export const endpoints = [...readingEndpoints, ...Object.values(acting)];

/**
 * Serves the JSON API (docs/http.md), with which programs can do what the pages show and do, and its description.
 * @param act returns the function that acts with the config in force
 */
export function apiRoutes(server: FastifyInstance, act: () => Act, version: string): void {
  for (const each of endpoints) registerEndpoint(server, each, act);
  server.get('/api/openapi.json', async () => {
    // The generator is loaded only if the description is requested.
    const { describeApi } = await import('./openapi.ts');
    return describeApi(endpoints, version);
  });
}
