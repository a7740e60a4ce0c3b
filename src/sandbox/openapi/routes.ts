import type { FastifyInstance } from 'fastify';
import { sendPage } from '../pages/layout.ts';
import { apiDescription } from './description.ts';
import { descriptionPage } from './page.ts';

/** The description of the API, for programs and for people. Public, because it reveals nothing about the site. */
export function descriptionRoutes(site: FastifyInstance): void {
  site.get('/openapi.json', (_request, reply) =>
    reply.header('access-control-allow-origin', '*').send(apiDescription()),
  );
  site.get('/openapi', (_request, reply) => sendPage(reply, apiDescription().info.title, descriptionPage()));
}
