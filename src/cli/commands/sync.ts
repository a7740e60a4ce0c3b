import { runOrJoin } from '../../app/actions/join-run.ts';
import type { App } from '../../app/app.ts';
import { loadUsableAppConfig } from '../../app/load-config.ts';
import { ConfigError } from '../../config/files/problems.ts';
import { selectSyncs } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import type { RunReport } from '../../core/run.ts';
import { pauseOf } from '../../sync/runs/pause-sync.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { plain, print, printJson } from '../output/print.ts';
import { createProgressLine, type ProgressLine } from '../output/progress.ts';
import { toRefused, toRunResult, unlessRefused } from '../output/run-result.ts';
import { printRuns } from '../output/run-tables.ts';
import { warnOfBroken } from '../select-sync.ts';
import { askedHere, exitCodeOf, withApp } from '../with-app.ts';
import { planAll } from './plan.ts';

export const syncCommand = defineCommand('sync')
  .argument('[sync...]', 'names of sync files (default: all)')
  .option('--dry-run', 'show what would change, as `plan` does; write nothing to the CMS')
  .action(execute(sync));

async function sync(context: CommandContext, names: string[], { dryRun }: { dryRun?: boolean }): Promise<number> {
  const { json, signal } = context;
  const config = loadUsableAppConfig(context.environment);
  const syncs = selectSyncs(config, names);
  // Without names, the syncs whose files have mistakes fail; the others run.
  const broken = names.length === 0 ? config.broken : [];
  warnOfBroken(
    config,
    broken.map(({ name }) => name),
  );
  const runs = broken.map(({ name, problems }) => toRefused(name, new ConfigError(problems)));
  if (dryRun) {
    const exitCode = await planAll({ config, syncs, refused: runs }, context);
    return broken.length > 0 ? EXIT.usage : exitCode;
  }
  await withApp(config, context, async (app) => {
    const progress = createProgressLine();
    for (const each of syncs) {
      if (signal.aborted) break;
      const pause = names.length === 0 ? pauseOf(each, await app.ledger.pauses.pauses()) : undefined;
      if (pause) {
        print(`${each.name}: skipped. ${plain(pause.by)} paused it: ${plain(pause.reason)}`, process.stderr);
        continue;
      }
      // A sync that cannot run now does not stop the others.
      runs.push(await unlessRefused(each, runOne(app, each, signal, progress)));
      progress.clear();
    }
  });
  if (json) printJson({ runs: runs.map(toRunResult) });
  else printRuns(runs);
  return broken.length > 0 ? EXIT.usage : exitCodeOf(runs);
}

function runOne(app: App, sync: SyncConfig, signal: AbortSignal, progress: ProgressLine): Promise<RunReport> {
  const report = (text: string) => {
    progress.clear();
    print(`${sync.name}: ${text}`, process.stderr);
  };
  return runOrJoin(app, sync, {
    askedAt: Date.now(),
    signal,
    asked: askedHere({ deed: 'run' }),
    onProgress: progress.show,
    onJoin: (run) => report(`already running (run ${run}); waiting for its result`),
    onWait: ({ kind, run }) => report(`waiting for the ${kind} ${run} to finish`),
  });
}
