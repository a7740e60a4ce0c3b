import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Actions } from '../app/service/actions.ts';
import { needs } from './access/guard.ts';
import { pathParams } from './access/path-params.ts';
import { acting } from './api/acting.ts';
import { contextOf, type Endpoint, parsed } from './api/endpoint.ts';
import { filledPath, runPath } from './parts/addresses.ts';

const all: Endpoint[] = Object.values(acting);
const nothing = z.object({});
const texts = z.record(z.string(), z.unknown()).catch({});

/**
 * Serves the forms of all actions. A form does what its endpoint does, and then leads to the page of the run that it began, or
 * back to its own page. An incomplete form only leads back, to the hint about what is missing.
 */
export function formRoutes(server: FastifyInstance, actions: () => Actions): void {
  for (const {
    path,
    role,
    params = pathParams(path),
    body = nothing,
    form = body,
    leadsTo = path,
    incomplete,
    handle,
  } of all) {
    server.post(path, { onRequest: needs(role) }, async (request, reply) => {
      const input = { params: parsed(params, request.params), query: {}, body: parsed(form, filledIn(request.body)) };
      const { back = filledPath(leadsTo, input.params as Record<string, string>) } = input.body as { back?: string };
      const missing = incomplete?.(input.body);
      if (missing !== undefined) return reply.redirect(`${back}#${missing}`, 303);
      const { run } = (await handle(input, contextOf(request, actions()))) as { run?: string };
      return reply.redirect(run === undefined ? back : runPath(run), 303);
    });
  }
}

/** Returns the fields that have a value. */
function filledIn(body: unknown): Record<string, unknown> {
  const { csrf: _, ...fields } = texts.parse(body);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => String(value).trim() !== ''));
}
