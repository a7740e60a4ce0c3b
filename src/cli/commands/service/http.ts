import type { Logger } from 'pino';
import type { Environment } from '../../../app/environment.ts';
import { watchPeople } from '../../../app/people.ts';
import type { Service } from '../../../app/service/service.ts';
import { version } from '../../../app/version.ts';
import type { SessionStore } from '../../../console/access/session.ts';
import { addInFlight, createMetrics } from '../../../console/metrics.ts';
import { type ServerOptions, startServer } from '../../../console/server.ts';
import { addSharedMetrics, type Shared } from '../../../console/shared-metrics.ts';
import { CodedError } from '../../../core/errors.ts';
import { createLedgerQueries } from '../../../queries/create-queries.ts';
import { openConsole } from './console-parts.ts';

/** Work of a process: `start` runs what is due and delivers; `worker` delivers; `console` acts for its users. */
export type Duty = 'start' | 'worker' | 'console';

/**
 * Counts requests to the CMS from the start, and serves over HTTP when the service is open.
 * @param ports ports to try; the first free port is used
 * @throws ConfigError if the file of the tokens has mistakes
 */
export function prepareHttp(ports: readonly number[], environment: Environment, log: Logger) {
  const { host, tokens, tokensFile, isTrustedProxy, userHeader, edit } = environment.http;
  const people = tokensFile === undefined ? undefined : watchPeople(tokensFile, environment.variables, log);
  const metrics = createMetrics(version());
  return { onResponse: metrics.request, open };

  /**
   * @param readAgain puts edits of the config folder in force
   * @throws CodedError FF_HTTP_LISTEN
   */
  async function open(service: Service, duty: Duty, readAgain: () => Promise<void>) {
    addInFlight(metrics, () => service.app.gates.inFlight());
    // Only one process reports the metrics of the state that all processes share.
    if (duty === 'start') addSharedMetrics(metrics.registry, sharedOf(service), log);
    const server = await startOnFirst(ports, {
      ...{ host, tokens, people, isTrustedProxy, userHeader, edit, publicUrl: environment.publicUrl, log, metrics },
      sessions: sessionsOf(service),
      isReady: () => service.app.ledger.runs.state(''),
      ...(duty !== 'worker' && { console: openConsole(service, environment, log, readAgain) }),
    });
    return server;
  }
}

type Options = Omit<ServerOptions, 'port'>;

async function startOnFirst(
  [port = 0, ...others]: readonly number[],
  options: Options,
): ReturnType<typeof startServer> {
  try {
    return await startServer({ ...options, port });
  } catch (error) {
    if (others.length === 0 || !(error instanceof CodedError && error.code === 'FF_HTTP_LISTEN')) throw error;
    return startOnFirst(others, options);
  }
}

/** The sessions of the ledger in force: a change of the config opens another one. */
function sessionsOf(service: Service): SessionStore {
  return {
    begin: (...session) => service.app.ledger.sessions.begin(...session),
    find: (idHash) => service.app.ledger.sessions.find(idHash),
    end: (idHash) => service.app.ledger.sessions.end(idHash),
  };
}

function sharedOf(service: Service): Shared {
  return {
    runTotals: () => service.app.ledger.runs.totals(),
    overview: () => createLedgerQueries(() => service.app).overview(),
    depth: () => service.app.queue.depth(),
    backedUpAt: () => service.app.ledger.turns.lastTurn('backup'),
  };
}
