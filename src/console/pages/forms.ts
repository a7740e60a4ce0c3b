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

/** The endpoints that pages have forms for. A form sends texts, with its token, and people read its mistakes. */
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

/** Serves the forms: each does what its endpoint does, and leads to the page of the run, or of what it has started. */
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
