import { once } from 'node:events';
import type { HttpSettings } from '../../../app/environment.ts';
import { watchConfig } from '../../../app/service/config-watch.ts';
import { openService } from '../../../app/service/service.ts';
import { CodedError } from '../../../core/errors.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { logRun } from '../../output/run-result.ts';
import type { Duty } from './http.ts';

/** Default port of the console. */
const USUAL_PORT = 8420;

export const startCommand = defineCommand('start').action(
  execute((context) => serve(context, 'start', portsOf(context.environment.http))),
);

export const workerCommand = defineCommand('worker').action(
  execute((context) => {
    const { http, redisUrl } = context.environment;
    // A worker serves its health only if a port is set.
    if (redisUrl) return serve(context, 'worker', http.port === undefined ? [] : portsOf(http));
    throw new CodedError('FF_QUEUE_NEEDS_REDIS', '`worker` needs Redis, but REDIS_URL is not set.');
  }),
);

export const consoleCommand = defineCommand('console')
  .option('--port <n>', 'the port; 0 takes any free one (default: HTTP_PORT, else 8420 or any free one)')
  .action(
    execute((context, options: { port?: string }) => {
      const { http } = context.environment;
      const isOff = options.port === undefined && http.port === 'off';
      return serve(context, 'console', portsOf({ port: isOff ? undefined : (portIn(options) ?? http.port) }));
    }),
  );

/**
 * Works until a signal arrives: `start` runs syncs when they are due and delivers, `worker` delivers, `console` acts for its
 * users. Follows changes of the config; SIGHUP reloads the config.
 * @param ports ports to try for HTTP; the first free port is used. Without ports, the process does not serve HTTP
 */
async function serve(context: CommandContext, duty: Duty, ports: readonly number[]): Promise<number> {
  const { environment, signal } = context;
  const log = await context.openLog({ isService: true });
  const watch = await watchConfig(environment, log);
  // The HTTP server is loaded only if it is used: it would take much of a small process's memory.
  const http = ports.length > 0 ? (await import('./http.ts')).prepareHttp(ports, environment, log) : undefined;
  const service = await openService(watch.config, {
    ...{ environment, log, signal, leads: duty === 'start', delivers: duty !== 'console' },
    onFinished: (report) => logRun(report, log),
    onResponse: http?.onResponse,
  });
  let server: Awaited<ReturnType<NonNullable<typeof http>['open']>> | undefined;
  process.on('SIGHUP', watch.readAgain);
  try {
    server = await http?.open(service, duty, watch.readAgain);
    await service.start();
    const { ledger, queue, config } = service.app;
    const scheduled = config.syncs.filter(({ schedule }) => schedule).length;
    const started = {
      start: `Started. Syncs with a schedule: ${scheduled} of ${config.syncs.length}.`,
      worker: 'Worker is ready.',
      console: 'Ready.',
    }[duty];
    const address = server ? ` ${duty === 'worker' ? 'HTTP' : 'Console'}: ${server.url}` : '';
    log.info({ ledger: ledger.engine, queue: queue.engine, health: server?.url }, `${started}${address}`);
    if (config.syncs.length === 0)
      log.warn(`There is no sync in ${config.dir} yet. Write one for your feed: feedferry init URL`);
    watch.follow((config) => service.follow(config));
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

/** Returns the ports to try. */
function portsOf({ port }: Pick<HttpSettings, 'port'>): number[] {
  if (port === 'off') return [];
  return port === undefined ? [USUAL_PORT, 0] : [port];
}

/** @throws CodedError FF_USAGE */
function portIn({ port }: { port?: string }): number | undefined {
  if (port === undefined) return undefined;
  if (/^\d+$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new CodedError('FF_USAGE', `--port needs a port number, such as ${USUAL_PORT}, not "${port}".`);
}
