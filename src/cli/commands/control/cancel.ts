import { machineUser } from '../../../app/machine-user.ts';
import { cancelRun } from '../../../sync/runs/cancel-run.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { print, printJson } from '../../output/print.ts';
import { withLedger } from '../../with-ledger.ts';

export const cancelCommand = defineCommand('cancel')
  .argument('<run>', 'id of a run that is in progress')
  .option('--reason <text>', 'why it is cancelled, for the history of the run')
  .action(execute(cancel));

async function cancel({ environment, json }: CommandContext, id: string, { reason }: { reason?: string }) {
  const asked = { by: machineUser(), via: 'cli', ...(reason && { reason }) } as const;
  const { run, sync, finishedAt } = await withLedger(environment, (ledger) => cancelRun(id, asked, ledger));
  if (json) printJson({ run, sync, ended: finishedAt !== undefined });
  else {
    print(`${sync}: run ${run} ${finishedAt ? 'is cancelled' : 'ends as soon as its requests in flight have ended'}.`);
    print(`The next run delivers what was not sent yet. To prevent that: feedferry pause ${sync} --reason TEXT`);
  }
  return EXIT.success;
}
