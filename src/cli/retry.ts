import type { Command } from 'commander';
import { openApp } from '../app/app.ts';
import { loadAppConfig } from '../app/load-config.ts';
import { selectSyncs } from '../config/select.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from './command.ts';
import { EXIT, exitCodeOf } from './exit.ts';
import { print, printJson, printRuns } from './output.ts';
import { createProgressLine } from './progress.ts';
import { toRunResult, unlessRefused } from './result.ts';

export function retryCommand(): Command {
  return defineCommand('retry', 'try failed and held records again, without reading the feed')
    .argument('<sync>', 'name of a sync file')
    .argument('[key...]', 'keys of the records (default: all that failed, are held or still pending)')
    .action((name: string, keys: string[], options: CommonOptions) =>
      execute(options, (context) => retry(name, keys, context)),
    );
}

async function retry(name: string, keys: string[], context: CommandContext): Promise<number> {
  const { environment, log, json, signal } = context;
  const config = loadAppConfig(environment);
  const [sync] = selectSyncs(config, [name]);
  if (!sync) return EXIT.usage;
  const app = await openApp(config, environment, log);
  const progress = createProgressLine();
  const named = keys.length > 0 ? keys : undefined;
  try {
    const report = await unlessRefused(sync, () => app.retry(sync, named, { signal, onProgress: progress.show }));
    progress.clear();
    const runs = report ? [report] : [];
    if (json) printJson({ runs: runs.map(toRunResult) });
    else if (report) printRuns(runs);
    else print(process.stdout, `${sync.name}: nothing to retry.`);
    return exitCodeOf(runs);
  } finally {
    await app.close();
  }
}
