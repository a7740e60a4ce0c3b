import type { Command } from 'commander';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { serve } from './serve.ts';

export function startCommand(): Command {
  return defineCommand('start', 'run syncs on their schedules and deliver their changes, in one process').action(
    execute(start),
  );
}

function start(context: CommandContext): Promise<number> {
  return serve(context, { leads: true }, ({ app }) => {
    const scheduled = app.config.syncs.filter(({ schedule }) => schedule);
    return `Started. Syncs with a schedule: ${scheduled.length}.`;
  });
}
