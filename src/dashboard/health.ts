import type { FastifyInstance } from 'fastify';

/**
 * `/healthz` (the process lives) and `/readyz` (what it depends on answers). They are open to all, so they tell nothing else.
 * @param isReady rejects while the process can do no work
 */
export function healthRoutes(server: FastifyInstance, isReady: () => Promise<unknown>): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    try {
      await isReady();
      return { status: 'ready' };
    } catch {
      return reply.code(503).send({ status: 'the ledger does not answer' });
    }
  });
}
