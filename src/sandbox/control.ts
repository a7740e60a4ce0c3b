import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SandboxClock } from './clock.ts';
import { type Faults, faultPlanSchema } from './faults/faults.ts';
import { refuseUnknownPath } from './http/errors.ts';
import { bearerHook } from './http/headers.ts';
import { acceptJsonBodies } from './http/json-body.ts';
import { type Journal, journalQuery } from './journal/journal.ts';
import { checkAgainst } from './resource.ts';
import type { SandboxState } from './state.ts';
import type { Counters } from './stats.ts';
import type { Store } from './store/store.ts';
import { attributeName } from './store/store-sql.ts';

const duplicatesQuery = z.object({
  resource: z.enum(['events', 'accounts']),
  attribute: z.string().regex(attributeName, 'is not the layout key of an attribute'),
});

const moment = z.strictObject({ now: z.iso.datetime({ offset: true }) });

/** Snapshots and fixtures hold files. */
const stateBodyLimit = 512 * 1024 * 1024;

interface ControlParts {
  store: Store;
  faults: Faults;
  counters: Counters;
  journal: Journal;
  clock: SandboxClock;
  state: SandboxState;
  /** Resets everything to its state at the start. */
  reset: () => Promise<void>;
  token: string;
}

/**
 * The functions of the sandbox besides the API, to be registered under /_sandbox, with the same token: faults, counters,
 * journal, clock, duplicates, reset, snapshots and fixtures.
 */
export async function controlRoutes(control: FastifyInstance, parts: ControlParts): Promise<void> {
  const { store, faults, counters, journal, clock, state } = parts;
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

  control.get('/journal', (request) => ({ exchanges: journal.read(checkAgainst(journalQuery, request.query)) }));
  control.delete('/journal', (_request, reply) => {
    journal.clear();
    return reply.code(204).send();
  });

  const time = () => ({ now: new Date(clock.now()).toISOString() });
  control.get('/clock', time);
  control.put('/clock', (request) => {
    clock.set(checkAgainst(moment, request.body).now);
    return time();
  });
  control.delete('/clock', (_request, reply) => {
    clock.set();
    return reply.code(204).send();
  });

  control.get('/duplicates', (request) => {
    const { resource, attribute } = checkAgainst(duplicatesQuery, request.query);
    return { resource, attribute, duplicates: store[resource].duplicates(attribute) };
  });

  control.post('/reset', async (_request, reply) => {
    await parts.reset();
    return reply.code(204).send();
  });

  control.get('/snapshot', () => state.snapshot());
  control.put('/snapshot', { bodyLimit: stateBodyLimit }, (request, reply) => {
    state.restoreBody(request.body);
    return reply.code(204).send();
  });

  control.post('/fixtures', { bodyLimit: stateBodyLimit }, async (request, reply) =>
    reply.code(201).send(await state.loadBody(request.body)),
  );

  control.setNotFoundHandler(refuseUnknownPath);
}
