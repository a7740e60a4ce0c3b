import type { FastifyInstance } from 'fastify';
import { inTime } from './reading.ts';

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
