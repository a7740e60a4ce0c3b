import type { FastifyInstance } from 'fastify';
import type { Actions } from '../../app/service/actions.ts';
import { actingEndpoints } from './acting.ts';
import { registerEndpoint } from './endpoint.ts';
import { readingEndpoints } from './reading.ts';

/** All of the JSON API, except its own description and live runs. */
export const endpoints = [...readingEndpoints, ...actingEndpoints];

/**
 * Serves to other programs, as JSON, what the pages show and do (docs/http.md), and its description.
 * @param actions returns those of the config in force
 */
export function apiRoutes(server: FastifyInstance, actions: () => Actions, version: string): void {
  for (const each of endpoints) registerEndpoint(server, each, actions);
  server.get('/api/openapi.json', async () => {
    // Loaded only if it is used.
    const { describeApi } = await import('./openapi.ts');
    return describeApi(endpoints, version);
  });
}
