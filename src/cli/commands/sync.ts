import type { Command } from 'commander';
import type { App } from '../../app/app.ts';
import { loadAppConfig } from '../../app/load-config.ts';
import { runOrJoin } from '../../app/service/join-run.ts';
import { selectSyncs } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import type { RunReport } from '../../core/run.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { exitCodeOf } from '../exit.ts';
import { createProgressLine, type ProgressLine } from '../output/progress.ts';
import { toRunResult, unlessRefused } from '../output/run-result.ts';
import { print, printJson, printRuns } from '../output/tables.ts';
import { withApp } from '../with-app.ts';

export function syncCommand(): Command {
  return defineCommand('sync', 'plan and apply syncs; all of them when none is named')
    .argument('[sync...]', 'names of sync files')
    .action(execute(sync));
}

async function sync(context: CommandContext, names: string[]): Promise<number> {
  const { json, signal } = context;
  const config = loadAppConfig(context.environment);
  const syncs = selectSyncs(config, names);
  const runs: RunReport[] = [];
  await withApp(config, context, async (app) => {
    const progress = createProgressLine();
    for (const each of syncs) {
      if (signal.aborted) break;
      // A sync that cannot be run now does not keep the others from theirs.
      runs.push(await unlessRefused(each, () => runOne(app, each, signal, progress)));
      progress.clear();
    }
  });
  if (json) printJson({ runs: runs.map(toRunResult) });
  else printRuns(runs);
  return exitCodeOf(runs);
}

function runOne(app: App, sync: SyncConfig, signal: AbortSignal, progress: ProgressLine): Promise<RunReport> {
  const tell = (text: string) => {
    progress.clear();
    print(process.stderr, `${sync.name} ${text}`);
  };
  return runOrJoin(app, sync, {
    askedAt: Date.now(),
    signal,
    onProgress: progress.show,
    onJoin: (run) => tell(`is under way in run ${run}; its result is told.`),
    onWait: ({ kind, run }) => tell(`waits for the end of the ${kind} ${run}.`),
  });
}
