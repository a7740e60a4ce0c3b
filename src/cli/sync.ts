import type { Command } from 'commander';
import { loadAppConfig, openApp } from '../app/app.ts';
import { selectSyncs } from '../config/select.ts';
import type { RunReport } from '../core/run.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from './command.ts';
import { exitCodeOf } from './exit.ts';
import { printJson, printRuns } from './output.ts';
import { createProgressLine } from './progress.ts';
import { toRunResult, unlessBusy } from './result.ts';

export function syncCommand(): Command {
  return defineCommand('sync', 'plan and apply syncs; all of them when none is named')
    .argument('[sync...]', 'names of sync files')
    .action((names: string[], options: CommonOptions) => execute(options, (context) => sync(names, context)));
}

async function sync(names: string[], { environment, log, json, signal }: CommandContext): Promise<number> {
  const config = loadAppConfig(environment);
  const syncs = selectSyncs(config, names);
  const app = await openApp(config, environment, log);
  const progress = createProgressLine();
  const runs: RunReport[] = [];
  try {
    for (const each of syncs) {
      if (signal.aborted) break;
      // A sync that cannot be run now does not keep the others from theirs.
      runs.push(await unlessBusy(each, () => app.run(each, { signal, onProgress: progress.show })));
      progress.clear();
    }
  } finally {
    await app.close();
  }
  if (json) printJson({ runs: runs.map(toRunResult) });
  else printRuns(runs);
  return exitCodeOf(runs);
}
