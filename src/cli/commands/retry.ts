import type { Command } from 'commander';
import { retryRun } from '../../sync/runs/retry-run.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from '../command.ts';
import { exitCodeOf } from '../exit.ts';
import { createProgressLine } from '../output/progress.ts';
import { toRunResult, unlessRefused } from '../output/run-result.ts';
import { print, printJson, printRuns } from '../output/tables.ts';
import { withSync } from '../with-app.ts';

export function retryCommand(): Command {
  return defineCommand('retry', 'try failed and held records again, without reading the feed')
    .argument('<sync>', 'name of a sync file')
    .argument('[key...]', 'keys of the records (default: all that failed, are held or still pending)')
    .action((name: string, keys: string[], options: CommonOptions) =>
      execute(options, (context) => retry(name, keys, context)),
    );
}

function retry(name: string, keys: string[], context: CommandContext): Promise<number> {
  const { json, signal } = context;
  const named = keys.length > 0 ? keys : undefined;
  return withSync(name, context, async (app, sync) => {
    const progress = createProgressLine();
    const report = await unlessRefused(sync, () =>
      retryRun(named, app.contextOf(sync, { signal, onProgress: progress.show })),
    );
    progress.clear();
    const runs = report ? [report] : [];
    if (json) printJson({ runs: runs.map(toRunResult) });
    else if (report) printRuns(runs);
    else print(process.stdout, `${sync.name}: nothing to retry.`);
    return exitCodeOf(runs);
  });
}
