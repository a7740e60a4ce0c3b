import type { DayRange } from '../../core/dates/iso-date.ts';
import { actHere, withOptionsOf } from '../act.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { withSync } from '../with-app.ts';

export const backfillCommand = withOptionsOf('backfill', defineCommand('backfill'))
  .argument('<sync>', 'name of a sync file')
  .action(execute(backfill));

function backfill(context: CommandContext, name: string, { from, to }: DayRange): Promise<number> {
  return withSync(name, context, async (app) => {
    return (await actHere('backfill', { sync: name, from, to }, app, context, { isLong: true })).exitCode;
  });
}
