import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { CodedError } from '../core/errors.ts';
import type { RunService } from '../core/run-service.ts';
import { inTime } from './reading.ts';

const startRequest = z.strictObject({ sync: z.string().min(1) });
const listRequest = z.strictObject({
  sync: z.string().min(1).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(20),
});

/**
 * Serves runs to other programs, as JSON (docs/http.md).
 * @param runs returns the service of the config in force
 */
export function apiRoutes(server: FastifyInstance, runs: () => RunService): void {
  server.post('/api/runs', async (request, reply) => {
    const { sync } = parsed(startRequest, request.body);
    const { run, started } = await runs().begin(sync);
    return reply.code(202).header('location', `/api/runs/${run}`).send({ run, sync, started });
  });

  server.get('/api/runs', async (request) => {
    const { sync, limit } = parsed(listRequest, request.query);
    return { runs: await runs().newest({ limit, sync }) };
  });

  server.get<{ Params: { run: string } }>('/api/runs/:run', async ({ params }) => {
    const run = await runs().find(params.run);
    if (!run) throw new CodedError('FF_RUN_UNKNOWN', 'The ledger has no run with this id.');
    return run;
  });

  server.get('/api/syncs', async () => ({ syncs: await runs().syncs() }));
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { data, error } = schema.safeParse(value ?? {});
  if (error) throw new CodedError('FF_HTTP_REQUEST', z.prettifyError(error));
  return data as T;
}

/**
 * Serves `/healthz` (the process is alive) and `/readyz` (its ledger responds). Both are public, so they reveal nothing else.
 * @param isReady rejects while the process cannot work
 */
export function healthRoutes(server: FastifyInstance, isReady: () => Promise<unknown>): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    try {
      await inTime(isReady());
      return { status: 'ready' };
    } catch {
      return reply.code(503).send({ status: 'the ledger does not respond' });
    }
  });
}
