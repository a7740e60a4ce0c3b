import { actInLedger, withOptionsOf } from '../../act.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { print, printJson } from '../../output/print.ts';
import { withQueries } from '../../with-ledger.ts';

export const cancelCommand = withOptionsOf('cancel', defineCommand('cancel'))
  .argument('<run>', 'id of a run that is in progress')
  .action(execute(cancel));

async function cancel(context: CommandContext, run: string, { reason }: { reason?: string }) {
  const { environment, json } = context;
  const response = await withQueries(environment, (_, known) => actInLedger('cancel', { run, reason }, known, context));
  const { sync, ended } = response;
  if (json) printJson(response);
  else {
    print(`${sync}: run ${run} ${ended ? 'is cancelled' : 'ends as soon as its requests in flight have ended'}.`);
    print(`The next run delivers what was not sent yet. To prevent that: feedferry pause ${sync} --reason TEXT`);
  }
  return EXIT.success;
}
