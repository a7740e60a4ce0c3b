import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { SessionStore } from '../../../src/console/access/session.ts';
import { createMetrics } from '../../../src/console/metrics.ts';
import { type ServerOptions, startServer } from '../../../src/console/server.ts';

/** Serves on a free port until the test has finished; answers the address. */
export async function serve(options: Partial<ServerOptions> = {}): Promise<string> {
  const server = await startServer(optionsOf(options));
  onTestFinished(server.close);
  return server.url;
}

/** A server on a free port, unless more is said. */
export function optionsOf(options: Partial<ServerOptions>): ServerOptions {
  return {
    port: 0,
    host: '127.0.0.1',
    tokens: {},
    log: pino({ level: 'silent' }),
    isReady: async () => {},
    metrics: createMetrics('1.2.3'),
    sessions: sessionsInMemory(),
    ...options,
  };
}

/** Sessions of one or more servers; expiry is a matter of the ledger. */
export function sessionsInMemory(): SessionStore {
  const sessions = new Map<string, { mark: string; name: string | null }>();
  return {
    begin: async ({ idHash, mark, name }) => void sessions.set(idHash, { mark, name }),
    find: async (idHash) => sessions.get(idHash),
    end: async (idHash) => void sessions.delete(idHash),
  };
}
