import { once } from 'node:events';
import type { Command } from 'commander';
import { loadAppConfig, openApp } from '../app/app.ts';
import { CodedError } from '../core/errors.ts';
import { startHealthServer } from '../dashboard/health.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from './command.ts';
import { EXIT } from './exit.ts';

export function workerCommand(): Command {
  return defineCommand('worker', 'deliver what other processes plan, over Redis; run as many as you like').action(
    (options: CommonOptions) => execute(options, worker),
  );
}

async function worker({ environment, log, signal }: CommandContext): Promise<number> {
  if (!environment.redisUrl) throw new CodedError('FF_QUEUE_NEEDS_REDIS', 'REDIS_URL is not set; `worker` needs it.');
  const config = loadAppConfig(environment);
  const app = await openApp(config, environment, log);
  const health = await startHealthServer(environment.httpPort, app.ledger);
  try {
    await app.work();
    log.info({ ledger: app.ledger.engine, queue: app.queue.engine, health: health?.url }, 'Worker is ready.');
    if (!signal.aborted) await once(signal, 'abort');
    log.info('Stopping: what is in flight is finished first.');
  } finally {
    await health?.close();
    await app.close();
  }
  return EXIT.success;
}
