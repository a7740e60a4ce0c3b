import type { FastifyInstance } from 'fastify';
import type { Actions } from '../../app/service/actions.ts';
import { acting } from './acting.ts';
import { registerEndpoint } from './endpoint.ts';
import { readingEndpoints } from './reading.ts';

/** All endpoints of the JSON API, except its own description. */
export const endpoints = [...readingEndpoints, ...Object.values(acting)];

/**
 * Serves the JSON API (docs/http.md), with which programs can do what the pages show and do, and its description.
 * @param actions returns the actions of the config in force
 */
export function apiRoutes(server: FastifyInstance, actions: () => Actions, version: string): void {
  for (const each of endpoints) registerEndpoint(server, each, actions);
  server.get('/api/openapi.json', async () => {
    // The generator is loaded only if the description is requested.
    const { describeApi } = await import('./openapi.ts');
    return describeApi(endpoints, version);
  });
}
