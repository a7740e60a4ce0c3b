import type { App, AppOptions } from '../app/app.ts';
import type { HttpSettings } from '../app/http-settings.ts';
import { createRunService } from '../app/run-service.ts';
import { version } from '../app/version.ts';
import { addInFlight, createMetrics } from '../dashboard/metrics.ts';
import { startDashboard } from '../dashboard/server.ts';
import { addSharedMetrics } from '../dashboard/shared-metrics.ts';
import type { CommandContext } from './command.ts';
import { logRun } from './result.ts';

/** What is served over HTTP. */
export interface OpenDashboard {
  url: string;
  /** Takes no more requests, and waits for the runs that were started by some. */
  close(): Promise<void>;
}

/** Counts from the start, and serves once there is an app. */
export interface Dashboard extends Required<Pick<AppOptions, 'onResponse'>> {
  /**
   * @param options.leads whether runs are started here, and what all processes share is told: by one of them is enough
   * @throws CodedError FF_HTTP_LISTEN
   */
  open(app: App, options: { leads: boolean }): Promise<OpenDashboard>;
}

export function createDashboard(
  http: HttpSettings,
  { log, signal }: Pick<CommandContext, 'log' | 'signal'>,
): Dashboard {
  const metrics = createMetrics(version());
  return { onResponse: metrics.request, open };

  async function open(app: App, { leads }: { leads: boolean }): Promise<OpenDashboard> {
    const { ledger, queue, gates } = app;
    addInFlight(metrics, gates.inFlight);
    const isReady = () => ledger.runs.isRunning('');
    const own = { ...http, log, isReady, metrics };
    if (!leads) return startDashboard(own);

    const syncs = app.config.syncs.map(({ name }) => name);
    const { pastRuns, tallies } = ledger;
    addSharedMetrics(
      metrics.registry,
      { syncs, tallies: tallies.all, underWay: pastRuns.underWay, depth: queue.depth, destination: gates.state },
      log,
    );
    const runs = createRunService(app, { log, signal, onFinished: (report) => logRun(report, log) });
    const server = await startDashboard({ ...own, runs, ...(queue.queues ? { queues: queue.queues } : {}) });
    return {
      url: server.url,
      async close() {
        await server.close();
        await runs.close();
      },
    };
  }
}
