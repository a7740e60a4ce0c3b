import { once } from 'node:events';
import { watchConfig } from '../../../app/service/config-watch.ts';
import { openService, type Service, type ServiceOptions } from '../../../app/service/service.ts';
import type { CommandContext } from '../../command.ts';
import { EXIT } from '../../exit.ts';
import { logRun } from '../../output/run-result.ts';
import type { OpenDashboard } from './dashboard.ts';

/**
 * Delivers, and runs syncs when they are due, until a signal ends it. It follows changes of the config; SIGHUP reloads it.
 * @param options.leads whether it runs syncs; then its HTTP server also starts runs and reports what all processes share
 * @param describe returns the log line for the start
 */
export async function serve(
  context: CommandContext,
  { leads }: Pick<ServiceOptions, 'leads'>,
  describe: (service: Service) => string,
): Promise<number> {
  const { environment, log, signal } = context;
  const watch = await watchConfig(environment, log);
  const dashboard = await createDashboard(context);
  const onFinished: ServiceOptions['onFinished'] = (report) => logRun(report, log);
  const service = await openService(watch.config, { environment, log, signal, leads, onFinished, ...dashboard?.app });
  let opened: OpenDashboard | undefined;
  process.on('SIGHUP', watch.readAgain);
  try {
    opened = await dashboard?.open(service, { leads });
    await service.start();
    const { ledger, queue } = service.app;
    log.info({ ledger: ledger.engine, queue: queue.engine, health: opened?.url }, describe(service));
    watch.follow(async (config) => {
      await service.follow(config);
      opened?.showQueues();
    });
    if (!signal.aborted) await once(signal, 'abort');
    log.info('Stopping: waiting for deliveries in progress.');
  } finally {
    process.off('SIGHUP', watch.readAgain);
    await watch.stop();
    await opened?.close();
    await service.close();
  }
  return EXIT.success;
}

/** Loaded only if it is used: it takes a good part of a small process's memory. */
async function createDashboard({ environment: { http }, log }: CommandContext) {
  if (!http) return undefined;
  const { createDashboard: create } = await import('./dashboard.ts');
  return create(http, log);
}
