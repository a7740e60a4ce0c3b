import type { Command } from 'commander';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { serve } from './serve.ts';

export function startCommand(): Command {
  return defineCommand('start', 'run the syncs by their schedules, and deliver, in one process').action(execute(start));
}

function start(context: CommandContext): Promise<number> {
  return serve(context, { leads: true }, ({ app }) => {
    const scheduled = app.config.syncs.filter(({ schedule }) => schedule);
    return `Started; ${scheduled.length} syncs have a schedule.`;
  });
}
