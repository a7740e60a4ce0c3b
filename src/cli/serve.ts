import { once } from 'node:events';
import { type App, loadAppConfig, openApp } from '../app/app.ts';
import type { CommandContext } from './command.ts';
import { EXIT } from './exit.ts';

/** Delivers, and does what `setUp` sets going, until a signal ends it; what `setUp` answers is logged. */
export async function serve(
  { environment, log, signal }: CommandContext,
  setUp: (app: App) => Promise<string>,
): Promise<number> {
  const app = await openApp(loadAppConfig(environment), environment, log);
  const { startHealthServer } = await import('../dashboard/health.ts');
  const health = await startHealthServer(environment.httpPort, app.ledger);
  try {
    await app.work();
    const message = await setUp(app);
    log.info({ ledger: app.ledger.engine, queue: app.queue.engine, health: health?.url }, message);
    if (!signal.aborted) await once(signal, 'abort');
    log.info('Stopping: what is in flight is finished first.');
  } finally {
    await health?.close();
    await app.close();
  }
  return EXIT.success;
}
