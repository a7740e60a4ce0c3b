import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Actions } from '../../app/service/actions.ts';
import { needs } from '../access/guard.ts';
import { actingEndpoints } from '../api/acting.ts';
import { contextOf, parsed } from '../api/endpoint.ts';
import { runPath } from '../parts/addresses.ts';
import { nothing, optionalText } from './page.ts';

const key = z.string().min(1);
const decision = z.object({
  set: z.string().min(1),
  reason: z.string().trim().min(1, 'Enter a reason.').max(1000, 'Enter a shorter reason.'),
});

/** Schemas for the forms of endpoints. Forms send all values as texts, and people read the messages about mistakes. */
const bodies: Readonly<Record<string, z.ZodObject>> = {
  '/syncs/:sync/run': nothing,
  '/syncs/:sync/retry': nothing,
  '/syncs/:sync/record/retry': z.object({ key }),
  '/syncs/:sync/record/adopt': z.object({
    key,
    cmsId: z.coerce.number('Enter the number of an item.').int().positive(),
  }),
  '/syncs/:sync/purge': z.object({ confirm: z.string().trim() }),
  '/runs/:run/undo': z.object({ reason: optionalText }),
  '/runs/:run/approve': decision,
  '/runs/:run/reject': decision,
  '/doctor': nothing,
};

/** Serves the forms. A form does what its endpoint does, and then leads to the page of the run that it began. */
export function formRoutes(server: FastifyInstance, actions: () => Actions): void {
  for (const { path, role, params = nothing, handle } of actingEndpoints) {
    const body = bodies[path];
    if (!body) continue;
    server.post(path, { onRequest: needs(role) }, async (request, reply) => {
      const input = { params: parsed(params, request.params), query: {}, body: parsed(body, request.body) };
      const result = (await handle(input, contextOf(request, actions()))) as { run?: string };
      return reply.redirect(result.run === undefined ? path : runPath(result.run), 303);
    });
  }
}
