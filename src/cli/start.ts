import type { Command } from 'commander';
import type { App } from '../app/app.ts';
import { CodedError } from '../core/errors.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from './command.ts';
import { logRun } from './result.ts';
import { serve } from './serve.ts';

export function startCommand(): Command {
  return defineCommand('start', 'run the syncs by their schedules, and deliver, in one process').action(
    (options: CommonOptions) => execute(options, start),
  );
}

function start(context: CommandContext): Promise<number> {
  return serve(context, { leads: true }, async (app) => {
    const entries = app.config.syncs.flatMap(({ name, schedule }) => (schedule ? [{ sync: name, schedule }] : []));
    await app.queue.schedule(entries, (name) => runScheduled(name, app, context));
    app.watch();
    return `Started; ${entries.length} syncs have a schedule.`;
  });
}

async function runScheduled(
  name: string,
  app: App,
  { log, signal }: Pick<CommandContext, 'log' | 'signal'>,
): Promise<void> {
  const sync = app.config.syncs.find((candidate) => candidate.name === name);
  if (!sync) return;
  try {
    logRun(await app.run(sync, { signal }), log);
  } catch (error) {
    // The tick came while the last run was still at work: that run covers it.
    if (error instanceof CodedError && error.code === 'FF_RUN_BUSY') log.info({ sync: name }, error.message);
    else throw error;
  }
}
