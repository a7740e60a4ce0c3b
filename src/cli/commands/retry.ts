import { retryRun } from '../../sync/runs/retry-run.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { unlessRefused } from '../output/run-result.ts';
import { runAndPrint, withSync } from '../with-app.ts';

export const retryCommand = defineCommand('retry')
  .argument('<sync>', 'name of a sync file')
  .argument('[key...]', 'keys of the records (default: all failed, held and pending records)')
  .action(execute(retry));

function retry(context: CommandContext, name: string, keys: string[]): Promise<number> {
  const named = keys.length > 0 ? keys : undefined;
  return withSync(name, context, (app, sync) => {
    return runAndPrint(context, (request) => unlessRefused(sync, retryRun(named, app.contextOf(sync, request))), {
      asked: { deed: 'retry' },
      nothing: `${name}: nothing to retry.`,
    });
  });
}
