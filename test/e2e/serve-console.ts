import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { readEnvironment } from '../../src/app/environment.ts';
import { watchConfig } from '../../src/app/service/config-watch.ts';
import { openService } from '../../src/app/service/service.ts';
import { prepareHttp } from '../../src/cli/commands/service/http.ts';
import type { Site } from './site.ts';

/**
 * Serves the console of a site in this process, which is much faster than `feedferry console` in one of its own, until the test has
 * finished. @returns the address
 */
export async function serveConsole(site: Site, variables: Record<string, string> = {}): Promise<string> {
  const environment = readEnvironment({ ...site.variables, ...variables });
  const log = pino({ level: 'silent' });
  const stop = new AbortController();
  const watch = await watchConfig(environment, log);
  const http = prepareHttp([0], environment, log);
  const service = await openService(watch.config, {
    ...{ environment, log, signal: stop.signal, leads: false, delivers: false },
    ...{ onFinished: () => {}, onResponse: http.onResponse },
  });
  const server = await http.open(service, 'console', watch.readAgain);
  onTestFinished(async () => {
    stop.abort();
    await watch.stop();
    await server.close();
    await service.close();
  });
  await service.start();
  watch.follow((config) => service.follow(config));
  return server.url;
}
