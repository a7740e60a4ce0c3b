import { describeCounts } from '../../core/run.ts';
import type { RunContext } from '../../sync/context/run-context.ts';
import type { Cost } from '../../sync/plan/cost.ts';
import { type PlanReport, planRun } from '../../sync/runs/plan-run.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { describeChange } from '../output/plan-lines.ts';
import { colour, plain, print, write } from '../output/print.ts';
import { printDetails } from '../output/run-tables.ts';
import { withSync } from '../with-app.ts';

const SHOWN = 50;
const SHOWN_FIELDS = 12;

export const planCommand = defineCommand('plan').argument('<sync>', 'name of a sync file').action(execute(plan));

function plan(context: CommandContext, name: string): Promise<number> {
  const { json, signal } = context;
  return withSync(name, context, async (app, sync) => {
    const planning = app.contextOf(sync, { signal });
    return exitCode(json ? await planAsJson(planning) : await planAsText(planning));
  });
}

/** Prints the changes as they are read: the plan may be larger than the memory. A plan that cannot begin prints nothing. */
async function planAsJson(context: RunContext): Promise<PlanReport> {
  const opening = '{"changes":[';
  let before = opening;
  const report = await planRun(context, async (changes) => {
    await write(`${before}${changes.map((change) => JSON.stringify(change)).join(',')}`);
    before = ',';
  });
  await write(`${before === opening ? opening : ''}],${JSON.stringify(report).slice(1)}\n`);
  return report;
}

async function planAsText(context: RunContext): Promise<PlanReport> {
  let shown = 0;
  const report = await planRun(context, (changes) => {
    for (const change of changes.slice(0, Math.max(0, SHOWN - shown))) print(describeChange(change));
    shown += changes.length;
  });
  if (shown > SHOWN) print(`… and ${shown - SHOWN} more; --json lists them all`);
  printPlan(report);
  return report;
}

function exitCode({ status, counts }: PlanReport): number {
  if (status === 'failed') return EXIT.failed;
  return status === 'held' || counts.rejected > 0 ? EXIT.partial : EXIT.success;
}

function printPlan(report: PlanReport): void {
  const { sync, counts, creates, updates, deletes, marks, cost, unmapped } = report;
  const { read, unchanged, rejected, skipped, missing } = counts;
  const planned = { 'to create': creates, 'to update': updates, 'to delete': deletes, 'to mark': marks };
  const summary = describeCounts({ read, ...planned, unchanged, rejected, skipped, missing });
  print(`${colour('bold', sync)}: ${summary || '0 records'}`);
  print(describeCost(cost));
  if (unmapped.length > 0) {
    const names = [...unmapped.slice(0, SHOWN_FIELDS), ...(unmapped.length > SHOWN_FIELDS ? ['…'] : [])];
    print(`Unused fields of the feed: ${plain(names.join(', '))} (\`feedferry preview ${sync}\` shows examples)`);
  }
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
