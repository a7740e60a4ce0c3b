import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyInstance } from 'fastify';
import { needs } from './access/guard.ts';

/** A BullMQ queue for the board. */
export type BoardQueue = ConstructorParameters<typeof BullMQAdapter>[0];

const PATH = '/board';
// Scripts from here only, and no fonts from Google, so that viewing the board is private.
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Shows the queues at `/board`, read-only: the ledger is the truth, and `feedferry retry` tries records again.
 * @returns shows other queues instead
 */
export async function boardRoutes(server: FastifyInstance, queues: readonly BoardQueue[]) {
  const adapter = new FastifyAdapter().setBasePath(PATH);
  const { replaceQueues } = createBullBoard({
    queues: shown(queues),
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'feedferry', hideDocsLink: true } },
  });
  // The server handles all errors.
  adapter.setErrorHandler((error) => {
    throw error;
  });
  await server.register(
    async (board) => {
      // Its jobs have the keys of records.
      board.addHook('onRequest', needs('operate'));
      board.addHook('onRequest', async (_request, reply) => {
        reply.header('content-security-policy', CONTENT_POLICY);
      });
      await board.register(adapter.registerPlugin());
    },
    { prefix: PATH },
  );
  return (others: readonly BoardQueue[]) => replaceQueues(shown(others));
}

function shown(queues: readonly BoardQueue[]): BullMQAdapter[] {
  return queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true }));
}
