import type { Command } from 'commander';
import { loadAppConfig } from '../../app/load-config.ts';
import { siteTime } from '../../core/dates/site-time.ts';
import { CodedError } from '../../core/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { StagedChange } from '../../ledger/plans/staged-plan.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import { differencesOf } from '../../sync/compare/differences.ts';
import { approveRun } from '../../sync/runs/approve-run.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit.ts';
import { describeChange } from '../output/plan-lines.ts';
import { colour, plain, print, printJson } from '../output/print.ts';
import { runAndPrint } from '../run-and-print.ts';
import { findRun, withLedger, withRun } from '../with-app.ts';

interface ApproveOptions extends CommonOptions {
  list?: boolean;
}

export function approveCommand(): Command {
  return defineCommand('approve', 'apply the plan of a held run exactly as it was held; --list shows the held plans')
    .argument('[run]', 'id of a held run')
    .option('--list', 'list the held plans (of all syncs, or of this run) and their changes')
    .action(execute(approve));
}

async function approve(context: CommandContext, held: string | undefined, options: ApproveOptions): Promise<number> {
  if (options.list) return list(held, context);
  if (held === undefined)
    throw new CodedError('FF_USAGE', 'No run is named. `feedferry approve --list` lists the held runs.');
  return withRun(held, context, (app, sync) =>
    runAndPrint(context, (options) => approveRun(held, app.contextOf(sync, options))),
  );
}

/** A plan that waits for approval. */
interface HeldPlan {
  run: PastRun;
  changes: StagedChange[];
}

async function list(id: string | undefined, { environment, json }: CommandContext): Promise<number> {
  const plans = await withLedger(environment, (ledger) => heldPlans(id, ledger));
  if (json) printJson({ held: plans.map(toJson) });
  else if (plans.length === 0) print('No plan waits for approval.');
  else {
    const { timezone } = loadAppConfig(environment).target;
    for (const plan of plans) printHeldPlan(plan, timezone);
  }
  return EXIT.success;
}

async function heldPlans(id: string | undefined, ledger: Ledger): Promise<HeldPlan[]> {
  if (id !== undefined) await findRun(id, ledger);
  const holds = await ledger.plans.heldPlans();
  const set = id === undefined ? undefined : await ledger.plans.heldSet(id);
  return Promise.all(
    holds
      .filter((hold) => id === undefined || hold.set === set)
      .map(async ({ run, sync }) => ({
        run: await findRun(run, ledger),
        changes: await ledger.plans.changes(run, sync),
      })),
  );
}

function toJson({ run: { run, sync, finishedAt, counts, error }, changes }: HeldPlan) {
  const shown = changes.map(({ key, op, at, resource, payload, changed, cmsId }) => ({
    ...{ key, op, at, resource, payload, changed },
    ...(cmsId === undefined ? {} : { cmsId }),
  }));
  return { run, sync, heldAt: finishedAt, error, counts, changes: shown };
}

function printHeldPlan({ run: { run, sync, finishedAt, error }, changes }: HeldPlan, timezone: string): void {
  const since = finishedAt === undefined ? '' : ` since ${siteTime(finishedAt, timezone)}`;
  print(`${colour('bold', sync)}: run ${run} is held${since}`);
  if (error) print(`${error.code} ${plain(error.message)}`);
  for (const change of changes) print(`  ${describeChange({ ...change, differences: differencesOf(change) })}`);
  print(`  → feedferry approve ${run}\n`);
}
