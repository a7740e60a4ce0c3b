import { once } from 'node:events';
import type { Command } from 'commander';
import { type App, loadAppConfig, openApp } from '../app/app.ts';
import { CodedError } from '../core/errors.ts';
import { startHealthServer } from '../dashboard/health.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from './command.ts';
import { EXIT } from './exit.ts';
import { toRunResult } from './result.ts';

export function startCommand(): Command {
  return defineCommand('start', 'run the syncs by their schedules, and deliver, in one process').action(
    (options: CommonOptions) => execute(options, start),
  );
}

async function start({ environment, log, signal }: CommandContext): Promise<number> {
  const config = loadAppConfig(environment);
  const app = await openApp(config, environment, log);
  const health = await startHealthServer(environment.httpPort, app.ledger);
  try {
    await app.work();
    const entries = config.syncs.flatMap(({ name, schedule }) => (schedule ? [{ sync: name, schedule }] : []));
    await app.queue.schedule(entries, (name) => runScheduled(name, app, { log, signal }));
    const { ledger, queue } = app;
    log.info(
      { ledger: ledger.engine, queue: queue.engine, scheduled: entries.length, health: health?.url },
      'Started.',
    );
    if (!signal.aborted) await once(signal, 'abort');
    log.info('Stopping: what is in flight is finished first.');
  } finally {
    await health?.close();
    await app.close();
  }
  return EXIT.success;
}

async function runScheduled(
  name: string,
  app: App,
  { log, signal }: Pick<CommandContext, 'log' | 'signal'>,
): Promise<void> {
  const sync = app.config.syncs.find((candidate) => candidate.name === name);
  if (!sync) return;
  try {
    const report = await app.run(sync, { signal });
    log[report.status === 'success' ? 'info' : 'warn'](toRunResult(report), `${name}: ${report.status}`);
  } catch (error) {
    // The tick came while the last run was still at work: that run covers it.
    if (error instanceof CodedError && error.code === 'FF_RUN_BUSY') log.info({ sync: name }, error.message);
    else throw error;
  }
}
