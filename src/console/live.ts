import { setTimeout as sleep } from 'node:timers/promises';
import type { SSEMessage } from '@fastify/sse';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Queries } from '../queries/queries.ts';
import type { RunDetailView } from '../queries/views/run.ts';

const EVERY_MS = 1_000;

/** Address at which the progress of a run is sent, and the messages. */
export interface LiveRoute {
  /** Path with the parameter `:run`. */
  path: string;
  message(run: RunDetailView, request: FastifyRequest): SSEMessage;
}

/** Serves runs as server-sent events until they have ended; the last event is `end`. Register `@fastify/sse` first. */
export function liveRoutes(server: FastifyInstance, routes: readonly LiveRoute[]): void {
  const closing = new AbortController();
  server.addHook('preClose', async () => closing.abort());
  const next = createPoller(closing.signal);
  for (const { path, message } of routes) {
    server.get<{ Params: { run: string } }>(path, { sse: 'only', exposeHeadRoute: false }, async (request, reply) => {
      const { params, queries } = request;
      // Throws for an unknown run before the first event is sent.
      const first = await queries.run(params.run);
      await send(
        reply,
        first,
        async () => ((await request.hasAccess()) ? next(params.run, request) : undefined),
        (run) => message(run, request),
      );
    });
  }
}

async function send(
  { sse }: FastifyReply,
  first: RunDetailView,
  next: () => Promise<RunDetailView | undefined>,
  toMessage: (run: RunDetailView) => SSEMessage,
): Promise<void> {
  for (let run: RunDetailView | undefined = first; run && sse.isConnected; run = await next()) {
    await sse.send(toMessage(run));
    if (run.finishedAt === undefined) continue;
    await sse.send({ event: 'end', data: '' });
    return;
  }
}

/** Queries a run once a second for all its viewers. A slow viewer misses steps and does not delay the others. */
function createPoller(closing: AbortSignal) {
  const due = new Map<string, Promise<RunDetailView | undefined>>();
  return (run: string, { queries, viewer }: FastifyRequest) => {
    const watched = `${viewer.role} ${run}`;
    const asked = due.get(watched) ?? ask(queries, run).finally(() => due.delete(watched));
    due.set(watched, asked);
    return asked;
  };

  /** Returns the run a second later, or undefined if the server is closing. */
  async function ask(queries: Queries, run: string): Promise<RunDetailView | undefined> {
    try {
      await sleep(EVERY_MS, undefined, { signal: closing, ref: false });
    } catch {
      return undefined;
    }
    return queries.run(run);
  }
}
