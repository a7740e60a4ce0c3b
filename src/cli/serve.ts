import { once } from 'node:events';
import { type App, loadAppConfig, openApp } from '../app/app.ts';
import type { CommandContext } from './command.ts';
import type { OpenDashboard } from './dashboard.ts';
import { EXIT } from './exit.ts';

/**
 * Delivers, and does what `setUp` sets going, until a signal ends it; what `setUp` answers is logged.
 * @param options.leads over HTTP, also what all processes share is told, and runs are started
 */
export async function serve(
  context: CommandContext,
  { leads }: { leads: boolean },
  setUp: (app: App) => Promise<string>,
): Promise<number> {
  const { environment, log, signal } = context;
  const dashboard = await createDashboard(context);
  const app = await openApp(loadAppConfig(environment), environment, log, dashboard);
  let opened: OpenDashboard | undefined;
  try {
    opened = await dashboard?.open(app, { leads });
    await app.work();
    const message = await setUp(app);
    log.info({ ledger: app.ledger.engine, queue: app.queue.engine, health: opened?.url }, message);
    if (!signal.aborted) await once(signal, 'abort');
    log.info('Stopping: what is in flight is finished first.');
  } finally {
    await opened?.close();
    await app.close();
  }
  return EXIT.success;
}

/** Loaded only where it is used: it is a good part of a small process's memory. */
async function createDashboard({ environment: { http }, ...context }: CommandContext) {
  if (!http) return undefined;
  const { createDashboard: create } = await import('./dashboard.ts');
  return create(http, context);
}
