import type { Command } from 'commander';
import { loadAppConfig, openApp } from '../app/app.ts';
import { selectSyncs } from '../config/select.ts';
import type { StagedChange } from '../ledger/staging.ts';
import type { PlanReport } from '../sync/run.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from './command.ts';
import { EXIT } from './exit.ts';
import { colour, print, printDetails, printJson } from './output.ts';

const SHOWN = 50;

export function planCommand(): Command {
  return defineCommand('plan', 'show what a sync would change; writes nothing to the CMS')
    .argument('<sync>', 'name of a sync file')
    .action((name: string, options: CommonOptions) => execute(options, (context) => plan(name, context)));
}

async function plan(name: string, { environment, log, json, signal }: CommandContext): Promise<number> {
  const config = loadAppConfig(environment);
  const [sync] = selectSyncs(config, [name]);
  if (!sync) return EXIT.usage;
  const app = await openApp(config, environment, log);
  try {
    const report = await app.plan(sync, { signal });
    if (json) printJson(report);
    else printPlan(report);
    return exitCode(report);
  } finally {
    await app.close();
  }
}

function exitCode({ status, counts }: PlanReport): number {
  if (status === 'failed') return EXIT.failed;
  return status === 'held' || counts.rejected > 0 ? EXIT.partial : EXIT.success;
}

function printPlan(report: PlanReport): void {
  const { counts, creates, updates, changes } = report;
  for (const change of changes.slice(0, SHOWN)) print(process.stdout, describe(change));
  if (changes.length > SHOWN) print(process.stdout, `… and ${changes.length - SHOWN} more`);
  const parts = [
    `${counts.read} read`,
    `${creates} to create`,
    `${updates} to update`,
    `${counts.unchanged} unchanged`,
    `${counts.rejected} rejected`,
    `${counts.skipped} skipped`,
    `${counts.missing} missing`,
  ];
  print(process.stdout, `${colour('bold', report.sync)}: ${parts.join(', ')}`);
  printDetails(report);
}

function describe({ op, key, at, payload, changed }: StagedChange): string {
  const name = payload.title ?? payload.displayName ?? payload.email ?? '';
  const sign = op === 'create' ? colour('green', '+ create') : colour('yellow', '~ update');
  const attributes = op === 'update' ? `: ${changed.join(', ')}` : '';
  return `${sign} ${key} ${colour('dim', `(${at})`)} ${String(name)}${attributes}`;
}
