import type { Command } from 'commander';
import { loadAppConfig, openApp } from '../app/app.ts';
import { selectSyncs } from '../config/select.ts';
import type { Json, Payload, Resource } from '../core/record.ts';
import type { Cost } from '../sync/cost.ts';
import type { PlannedChange, PlanReport } from '../sync/plan-sync.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from './command.ts';
import { describeDifference, show } from './differences.ts';
import { EXIT } from './exit.ts';
import { colour, indent, plain, print, printDetails, printJson } from './output.ts';

const SHOWN = 50;
/** What people recognise a record by: attributes, parts of one dotted. */
const TELLING: Record<Resource, readonly string[]> = {
  events: ['title', 'date', 'time.start'],
  accounts: ['displayName', 'firstName', 'lastName', 'email', 'username'],
};

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
  const { sync, counts, creates, updates, changes, cost } = report;
  for (const change of changes.slice(0, SHOWN)) print(process.stdout, describe(change));
  if (changes.length > SHOWN) print(process.stdout, `… and ${changes.length - SHOWN} more; --json lists all of them`);
  const parts = [
    `${counts.read} read`,
    `${creates} to create`,
    `${updates} to update`,
    `${counts.unchanged} unchanged`,
    `${counts.rejected} rejected`,
    `${counts.skipped} skipped`,
    `${counts.missing} missing`,
  ];
  print(process.stdout, `${colour('bold', sync)}: ${parts.join(', ')}`);
  print(process.stdout, describeCost(cost));
  printDetails(report);
}

function describe({ op, key, at, resource, payload, differences, adopts }: PlannedChange): string {
  const becomes = adopts === undefined ? '' : ` is item ${adopts} of the CMS`;
  const place = `${plain(key)}${becomes} ${colour('dim', `(${plain(at)})`)}`;
  if (op === 'create') return `${colour('green', '+ create')} ${place} ${telling(resource, payload)}`;
  // Only an item of the CMS that is taken over as it is has nothing to change.
  const sign = differences.length === 0 ? '~ adopt' : '~ update';
  return [`${colour('yellow', sign)} ${place}`, ...differences.map((each) => indent(describeDifference(each)))].join(
    '\n',
  );
}

function telling(resource: Resource, payload: Payload): string {
  const told = TELLING[resource].flatMap((path) => {
    const value = valueAt(payload, path);
    return value ? [`${path}: ${show(value)}`] : [];
  });
  const others = Object.keys(payload).length - told.length;
  return [...told, ...(others > 0 ? [colour('dim', `and ${others} more attributes`)] : [])].join(', ');
}

function valueAt(payload: Payload, path: string): Json | undefined {
  return path
    .split('.')
    .reduce<Json | undefined>(
      (value, name) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined),
      payload,
    );
}

function describeCost({ creates, patches, deletes, uploads, reads }: Cost): string {
  const writes = creates + patches + deletes;
  if (writes === 0) return 'A run would send nothing.';
  const parts = [
    `${creates} creates`,
    `${patches} patches`,
    ...(deletes > 0 ? [`${deletes} deletes`] : []),
    `${uploads} uploads at most`,
    `${reads} reads at least`,
  ];
  return `A run would send ${writes + uploads + reads} requests: ${parts.join(', ')}.`;
}
