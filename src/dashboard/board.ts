import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyInstance } from 'fastify';

/** A BullMQ queue, as the board knows it. */
export type BoardQueue = ConstructorParameters<typeof BullMQAdapter>[0];

/** The board, as it is served. */
export interface Board {
  /** Shows these queues instead of those before. */
  show(queues: readonly BoardQueue[]): void;
}

const PATH = '/board';
// Scripts from here alone; its fonts from Google stay out, so that looking at the board tells nobody.
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

/** Shows the queues at `/board`. It changes nothing: the ledger is the truth, and `feedferry retry` tries records again. */
export async function boardRoutes(server: FastifyInstance, queues: readonly BoardQueue[]): Promise<Board> {
  const adapter = new FastifyAdapter().setBasePath(PATH);
  const { replaceQueues } = createBullBoard({
    queues: shown(queues),
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'feedferry', hideDocsLink: true } },
  });
  // The server answers errors alike everywhere.
  adapter.setErrorHandler((error) => {
    throw error;
  });
  await server.register(
    async (board) => {
      board.addHook('onRequest', async (_request, reply) => {
        reply.header('content-security-policy', CONTENT_POLICY);
      });
      await board.register(adapter.registerPlugin());
    },
    { prefix: PATH },
  );
  return { show: (others) => replaceQueues(shown(others)) };
}

function shown(queues: readonly BoardQueue[]): BullMQAdapter[] {
  return queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true }));
}
