import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { refuseUnknownPath } from '../../../src/sandbox/http/errors.ts';
import { bearerHook } from '../../../src/sandbox/http/headers.ts';
import { acceptJsonBodies } from '../../../src/sandbox/http/json-body.ts';
import { checkAgainst } from '../../../src/sandbox/resource.ts';
import type { SandboxParts } from '../../../src/sandbox/start.ts';
import type { CmsClock } from './clock.ts';
import { type Faults, faultPlanSchema } from './faults.ts';
import { type Journal, journalQuery } from './journal.ts';
import { type CmsSnapshot, restoreSnapshot, takeSnapshot } from './snapshot.ts';
import type { Counters } from './stats.ts';

const moment = z.strictObject({ now: z.iso.datetime({ offset: true }) });

/** Snapshots hold files. */
const stateBodyLimit = 512 * 1024 * 1024;

interface ControlParts {
  faults: Faults;
  counters: Counters;
  journal: Journal;
  clock: CmsClock;
  parts: SandboxParts;
}

/** The functions of the tests' CMS besides the API, with the same token: faults, counters, journal, clock and snapshots. */
export async function controlRoutes(
  control: FastifyInstance,
  { faults, counters, journal, clock, parts }: ControlParts,
): Promise<void> {
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

  control.get('/snapshot', () => takeSnapshot(parts));
  control.put('/snapshot', { bodyLimit: stateBodyLimit }, (request, reply) => {
    restoreSnapshot(parts, request.body as CmsSnapshot);
    return reply.code(204).send();
  });

  control.setNotFoundHandler(refuseUnknownPath);
}
