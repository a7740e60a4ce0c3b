import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type Faults, faultPlanSchema } from './faults/faults.ts';
import { refuseUnknownPath } from './http/errors.ts';
import { bearerHook } from './http/headers.ts';
import { acceptJsonBodies } from './http/json-body.ts';
import { checkAgainst } from './resource.ts';
import type { Counters } from './stats.ts';
import type { Store } from './store/store.ts';
import { attributeName } from './store/store-sql.ts';

const duplicatesQuery = z.object({
  resource: z.enum(['events', 'accounts']),
  attribute: z.string().regex(attributeName, 'is not the layout key of an attribute'),
});

/** What the sandbox has besides the API, to be registered under /_sandbox: faults, counters, duplicates. Same token. */
export async function controlRoutes(
  control: FastifyInstance,
  parts: { store: Store; faults: Faults; counters: Counters; token: string },
): Promise<void> {
  const { store, faults, counters } = parts;
  control.addHook('onRequest', bearerHook(parts.token));
  acceptJsonBodies(control);

  control.get('/faults', () => faults.plan);
  control.put('/faults', (request) => {
    faults.set(checkAgainst(faultPlanSchema, request.body));
    return faults.plan;
  });
  control.delete('/faults', (_request, reply) => {
    faults.set(faultPlanSchema.parse({}));
    return reply.code(204).send();
  });

  control.get('/stats', () => counters.read());
  control.delete('/stats', (_request, reply) => {
    counters.clear();
    return reply.code(204).send();
  });

  control.get('/duplicates', (request) => {
    const { resource, attribute } = checkAgainst(duplicatesQuery, request.query);
    return { resource, attribute, duplicates: store[resource].duplicates(attribute) };
  });

  control.setNotFoundHandler(refuseUnknownPath);
}
