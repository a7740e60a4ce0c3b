import type { Command } from 'commander';
import { type App, loadAppConfig, openApp, type RunOptions } from '../app/app.ts';
import { selectSyncs } from '../config/select.ts';
import type { SyncConfig } from '../core/config.ts';
import { CodedError } from '../core/errors.ts';
import type { RunReport } from '../core/run.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from './command.ts';
import { exitCodeOf } from './exit.ts';
import { printJson, printRuns } from './output.ts';
import { createProgressLine } from './progress.ts';
import { refusedRun, toRunResult } from './result.ts';

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
      runs.push(await runOrRefusal(app, each, { signal, onProgress: progress.show }));
      progress.clear();
    }
  } finally {
    await app.close();
  }
  if (json) printJson({ runs: runs.map(toRunResult) });
  else printRuns(runs);
  return exitCodeOf(runs);
}

/** A sync that cannot be run now (another run of it is under way) does not keep the others from theirs. */
async function runOrRefusal(app: App, sync: SyncConfig, options: RunOptions): Promise<RunReport> {
  try {
    return await app.run(sync, options);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return refusedRun(sync.name, error);
  }
}
