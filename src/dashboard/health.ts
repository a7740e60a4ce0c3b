import fastify from 'fastify';

/** What readiness depends on. */
export interface Probed {
  runs: { isRunning(run: string): Promise<boolean> };
}

export interface HealthServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Serves `/healthz` (the process lives) and `/readyz` (its ledger answers) on loopback; nothing where no port is set.
 */
export async function startHealthServer(port: number | undefined, ledger: Probed): Promise<HealthServer | undefined> {
  if (port === undefined) return undefined;
  const server = fastify();
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    try {
      await ledger.runs.isRunning('');
      return { status: 'ready' };
    } catch {
      return reply.code(503).send({ status: 'the ledger does not answer' });
    }
  });
  const url = await server.listen({ port, host: '127.0.0.1' });
  return { url, close: () => server.close() };
}
