import { describeCounts } from '../../core/run.ts';
import type { Cost } from '../../sync/plan/cost.ts';
import { type PlanReport, planRun } from '../../sync/runs/plan-run.ts';
import { type CommandContext, defineCommand, EXIT, execute } from '../command.ts';
import { describeChange } from '../output/plan-lines.ts';
import { colour, print, printJson } from '../output/print.ts';
import { printDetails } from '../output/run-tables.ts';
import { withSync } from '../with-app.ts';

const SHOWN = 50;

export const planCommand = defineCommand('plan', 'show what a sync would change, without changing anything in the CMS')
  .argument('<sync>', 'name of a sync file')
  .action(execute(plan));

function plan(context: CommandContext, name: string): Promise<number> {
  const { json, signal } = context;
  return withSync(name, context, async (app, sync) => {
    const report = await planRun(app.contextOf(sync, { signal }));
    if (json) printJson(report);
    else printPlan(report);
    return exitCode(report);
  });
}

function exitCode({ status, counts }: PlanReport): number {
  if (status === 'failed') return EXIT.failed;
  return status === 'held' || counts.rejected > 0 ? EXIT.partial : EXIT.success;
}

function printPlan(report: PlanReport): void {
  const { sync, counts, creates, updates, deletes, marks, changes, cost } = report;
  for (const change of changes.slice(0, SHOWN)) print(describeChange(change));
  if (changes.length > SHOWN) print(`… and ${changes.length - SHOWN} more; --json lists them all`);
  const { read, unchanged, rejected, skipped, missing } = counts;
  const planned = { 'to create': creates, 'to update': updates, 'to delete': deletes, 'to mark': marks };
  const summary = describeCounts({ read, ...planned, unchanged, rejected, skipped, missing });
  print(`${colour('bold', sync)}: ${summary || 'no records'}`);
  print(describeCost(cost));
  printDetails(report);
}

function describeCost({ creates, patches, deletes, uploads, reads }: Cost): string {
  const writes = creates + patches + deletes;
  if (writes === 0) return 'A run would send no requests.';
  const parts = [
    describeCounts({ POST: creates, PATCH: patches, DELETE: deletes }),
    `at most ${uploads} for uploads`,
    `at least ${reads} for reads`,
  ];
  return `A run would send ${writes + uploads + reads} requests: ${parts.join(', ')}.`;
}
