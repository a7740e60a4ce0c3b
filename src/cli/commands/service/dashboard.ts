import type { Logger } from 'pino';
import type { HttpSettings } from '../../../app/http-settings.ts';
import type { AppOptions } from '../../../app/open-parts.ts';
import type { Service } from '../../../app/service/service.ts';
import { version } from '../../../app/version.ts';
import { addInFlight, createMetrics } from '../../../dashboard/metrics.ts';
import { startDashboard } from '../../../dashboard/server.ts';
import { addSharedMetrics } from '../../../dashboard/shared-metrics.ts';

/** What is served over HTTP. */
export interface OpenDashboard {
  url: string;
  /** Shows the queues of the config in force. */
  showQueues(): void;
  /** Takes no more requests. */
  close(): Promise<void>;
}

/** Counts from the start and serves once there is a service. */
export interface ServiceDashboard {
  /** Makes an app report its requests. */
  app: Required<Pick<AppOptions, 'onResponse'>>;
  /**
   * @param options.leads whether it starts runs and reports what all processes share; one process does so
   * @throws CodedError FF_HTTP_LISTEN
   */
  open(service: Service, options: { leads: boolean }): Promise<OpenDashboard>;
}

export function createDashboard(http: HttpSettings, log: Logger): ServiceDashboard {
  const metrics = createMetrics(version());
  return { app: { onResponse: metrics.request }, open };

  async function open(service: Service, { leads }: { leads: boolean }): Promise<OpenDashboard> {
    addInFlight(metrics, () => service.app.gates.inFlight());
    const isReady = () => service.app.ledger.runs.isRunning('');
    const own = { ...http, log, isReady, metrics };
    if (!leads) return { ...(await startDashboard(own)), showQueues() {} };

    const shared = {
      syncs: () => service.app.config.syncs.map(({ name }) => name),
      tallies: () => service.app.ledger.tallies.all(),
      underWay: () => service.app.ledger.pastRuns.underWay(),
      depth: () => service.app.queue.depth(),
      destination: () => service.app.gates.state(),
    };
    addSharedMetrics(metrics.registry, shared, log);
    const { queues } = service.app.queue;
    const server = await startDashboard({ ...own, runs: service.runs, ...(queues ? { queues } : {}) });
    return { ...server, showQueues: () => server.showQueues(service.app.queue.queues ?? []) };
  }
}
