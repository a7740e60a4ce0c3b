import type { Logger } from 'pino';
import type { HttpSettings } from '../../../app/environment.ts';
import type { Service } from '../../../app/service/service.ts';
import { version } from '../../../app/version.ts';
import { addInFlight, createMetrics } from '../../../dashboard/metrics.ts';
import { startDashboard } from '../../../dashboard/server.ts';
import { addSharedMetrics, type Shared } from '../../../dashboard/shared-metrics.ts';

/** Counts requests from the start, and serves over HTTP when the service is open. */
export function createDashboard(http: HttpSettings, log: Logger) {
  const metrics = createMetrics(version());
  return { onResponse: metrics.request, open };

  /**
   * @param leads whether it starts runs and reports what all processes share; one process does so
   * @throws CodedError FF_HTTP_LISTEN
   */
  async function open(service: Service, leads: boolean) {
    addInFlight(metrics, () => service.app.gates.inFlight());
    if (leads) addSharedMetrics(metrics.registry, sharedOf(service), log);
    const server = await startDashboard({
      ...http,
      log,
      metrics,
      isReady: () => service.app.ledger.runs.state(''),
      ...(leads && { runs: () => service.runs, queues: service.app.queue.queues }),
    });
    /** Shows the queues of the config in force. */
    const followQueues = () => server.showQueues(service.app.queue.queues ?? []);
    return { ...server, followQueues };
  }
}

function sharedOf(service: Service): Shared {
  return {
    syncs: () => service.app.config.syncs.map(({ name }) => name),
    runTotals: () => service.app.ledger.runs.totals(),
    underWay: () => service.app.ledger.runs.underWay(),
    depth: () => service.app.queue.depth(),
    destination: () => service.app.gates.state(),
  };
}
