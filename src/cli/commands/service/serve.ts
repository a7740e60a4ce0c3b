import { once } from 'node:events';
import { watchConfig } from '../../../app/service/config-watch.ts';
import { openService } from '../../../app/service/service.ts';
import { CodedError } from '../../../core/errors.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { logRun } from '../../output/run-result.ts';

export const startCommand = defineCommand('start').action(execute((context) => serve(context, true)));

export const workerCommand = defineCommand('worker').action(
  execute((context) => {
    if (context.environment.redisUrl) return serve(context, false);
    throw new CodedError('FF_QUEUE_NEEDS_REDIS', '`worker` needs Redis, but REDIS_URL is not set.');
  }),
);

/**
 * Delivers, and runs syncs when they are due, until a signal ends it. It follows changes of the config; SIGHUP reloads it.
 * @param leads whether it runs syncs; then its HTTP server also starts runs and reports what all processes share
 */
async function serve(context: CommandContext, leads: boolean): Promise<number> {
  const { environment, signal } = context;
  const log = await context.openLog();
  const watch = await watchConfig(environment, log);
  // Loaded only if it is used: it takes a good part of a small process's memory.
  const dashboard = environment.http && (await import('./dashboard.ts')).createDashboard(environment.http, log);
  const service = await openService(watch.config, {
    ...{ environment, log, signal, leads },
    onFinished: (report) => logRun(report, log),
    onResponse: dashboard?.onResponse,
  });
  let server: Awaited<ReturnType<NonNullable<typeof dashboard>['open']>> | undefined;
  process.on('SIGHUP', watch.readAgain);
  try {
    server = await dashboard?.open(service, leads);
    await service.start();
    const { ledger, queue, config } = service.app;
    const scheduled = config.syncs.filter(({ schedule }) => schedule).length;
    const started = leads
      ? `Started. Syncs with a schedule: ${scheduled} of ${config.syncs.length}.`
      : 'Worker is ready.';
    const address = server ? ` HTTP: ${server.url}` : '';
    log.info({ ledger: ledger.engine, queue: queue.engine, health: server?.url }, `${started}${address}`);
    watch.follow(async (config) => {
      await service.follow(config);
      server?.followQueues();
    });
    if (!signal.aborted) await once(signal, 'abort');
    log.info('Stopping: waiting for deliveries in progress.');
  } finally {
    process.off('SIGHUP', watch.readAgain);
    await watch.stop();
    await server?.close();
    await service.close();
  }
  return EXIT.success;
}
