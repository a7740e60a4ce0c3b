import type { Config, SyncConfig } from '../../config/types.ts';
import { describeCounts, type RunReport } from '../../core/run.ts';
import type { RunContext } from '../../sync/context/run-context.ts';
import type { Cost } from '../../sync/plan/cost.ts';
import { type PlanReport, planRun } from '../../sync/runs/plan-run.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { describeChange } from '../output/plan-lines.ts';
import { colour, plain, print, write } from '../output/print.ts';
import { toRunResult, unlessRefused } from '../output/run-result.ts';
import { printDetails } from '../output/run-tables.ts';
import { withApp, withSync } from '../with-app.ts';

const SHOWN = 50;
const SHOWN_FIELDS = 12;

export const planCommand = defineCommand('plan').argument('<sync>', 'name of a sync file').action(execute(plan));

function plan(context: CommandContext, name: string): Promise<number> {
  const { json, signal } = context;
  return withSync(name, context, async (app, sync) => {
    const planning = app.contextOf(sync, { signal });
    const report = json ? await planAsJson(planning) : await planAsText(planning);
    if (json) await write('\n');
    return exitCode([report]);
  });
}

/**
 * Plans syncs one after the other and prints the plans; with `--json` as `{ plans }` on one line.
 * @param refused syncs that cannot be planned
 * @returns the exit code: the worst plan decides
 */
export async function planAll(
  { config, syncs, refused }: { config: Config; syncs: readonly SyncConfig[]; refused: readonly RunReport[] },
  context: CommandContext,
): Promise<number> {
  const { json, signal } = context;
  const reports: RunReport[] = [];
  await withApp(config, context, async (app) => {
    let before = '{"plans":[';
    for (const sync of syncs) {
      if (signal.aborted) break;
      const planning = app.contextOf(sync, { signal });
      const report = await unlessRefused(sync, json ? planAsJson(planning, before) : planAsText(planning));
      if ('creates' in report) before = ',';
      reports.push(report);
      if (!json) print('');
    }
    const unplanned = [...reports.filter((report) => !('creates' in report)), ...refused];
    const rest = unplanned.map((report) => JSON.stringify(toRunResult(report))).join(',');
    if (json) await write(`${before === ',' && rest === '' ? '' : before}${rest}]}\n`);
    else for (const report of unplanned) printDetails(report);
  });
  return exitCode([...reports, ...refused]);
}

/** Prints each change when it is read, because a plan may not fit into memory. Prints nothing if the plan cannot begin. */
async function planAsJson(context: RunContext, before = ''): Promise<PlanReport> {
  let opening = `${before}{"changes":[`;
  const report = await planRun(context, async (changes) => {
    await write(`${opening || ','}${changes.map((change) => JSON.stringify(change)).join(',')}`);
    opening = '';
  });
  await write(`${opening}],${JSON.stringify(report).slice(1)}`);
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

function exitCode(reports: readonly RunReport[]): number {
  if (reports.some(({ status }) => status === 'failed')) return EXIT.failed;
  const isPartial = ({ status, counts }: RunReport) => status === 'held' || counts.rejected > 0;
  return reports.some(isPartial) ? EXIT.partial : EXIT.success;
}

function printPlan(report: PlanReport): void {
  const { sync, counts, creates, updates, held = 0, refused = 0, deletes, marks, cost, unmapped } = report;
  const { fileRetries = 0, withoutFiles = 0 } = report;
  const { read, unchanged, rejected, skipped, missing } = counts;
  const planned = { 'to create': creates, 'to update': updates, 'to delete': deletes, 'to mark': marks };
  const files = { 'with a file to try again': fileRetries, withoutFiles };
  const summary = describeCounts({ read, ...planned, unchanged, held, refused, rejected, skipped, missing, ...files });
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
