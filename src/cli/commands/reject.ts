import { actHere, withOptionsOf } from '../act.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { asks, isConfirmed } from '../output/confirm.ts';
import { print, printJson } from '../output/print.ts';
import { withRun } from '../with-app.ts';
import { showHeldPlan } from './approve.ts';

export const rejectCommand = withOptionsOf('reject', defineCommand('reject'))
  .argument('<run>', 'id of a held run')
  .option('--yes', 'skip the preview and the confirmation')
  .action(execute(reject));

function reject(context: CommandContext, held: string, { yes, reason }: { yes?: boolean; reason?: string }) {
  const { json, signal } = context;
  return withRun(held, context, async (app, sync) => {
    if (asks({ yes })) {
      await showHeldPlan(held, app, json);
      const effect = 'None of these changes is made. The next run plans again.';
      if (!(await isConfirmed({ word: 'yes', effect, declined: 'Nothing was rejected.' }, signal))) return EXIT.failed;
    }
    const { response } = await actHere('reject', { run: held, reason }, app, context);
    if (json) printJson(response);
    else print(`${sync.name}: the plan of run ${held} was rejected. Nothing was changed in the CMS.`);
    return EXIT.success;
  });
}
