import type { Command } from 'commander';
import { CodedError } from '../../core/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { StagedChange } from '../../ledger/plans/staged-plan.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import { differencesOf } from '../../sync/compare/differences.ts';
import { approveRun } from '../../sync/runs/approve-run.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit.ts';
import { describeChange } from '../output/plan-lines.ts';
import { colour, plain, print, printJson } from '../output/tables.ts';
import { runAndPrint } from '../run-and-print.ts';
import { findRun, withLedger, withRun } from '../with-app.ts';

interface ApproveOptions extends CommonOptions {
  list?: boolean;
}

export function approveCommand(): Command {
  return defineCommand('approve', 'apply the plan of a held run, exactly that set; --list shows what waits')
    .argument('[run]', 'id of a held run')
    .option('--list', 'list the held plans, of all syncs or of this run, and what they would do')
    .action(execute(approve));
}

async function approve(context: CommandContext, held: string | undefined, options: ApproveOptions): Promise<number> {
  if (options.list) return list(held, context);
  if (held === undefined)
    throw new CodedError('FF_USAGE', 'Name the run to approve; `feedferry approve --list` lists them.');
  return withRun(held, context, (app, sync) =>
    runAndPrint(context, (options) => approveRun(held, app.contextOf(sync, options))),
  );
}

/** What waits for an approval. */
interface Waiting {
  run: PastRun;
  changes: StagedChange[];
}

async function list(id: string | undefined, { environment, json }: CommandContext): Promise<number> {
  const waiting = await withLedger(environment, (ledger) => findWaiting(id, ledger));
  if (json) printJson({ held: waiting.map(toJson) });
  else if (waiting.length === 0) print(process.stdout, 'Nothing waits for an approval.');
  else for (const each of waiting) printWaiting(each);
  return EXIT.success;
}

async function findWaiting(id: string | undefined, ledger: Ledger): Promise<Waiting[]> {
  if (id !== undefined) await findRun(id, ledger);
  const holds = await ledger.holds.all();
  const set = id === undefined ? undefined : await ledger.holds.setOf(id);
  return Promise.all(
    holds
      .filter((hold) => id === undefined || hold.set === set)
      .map(async ({ run, sync }) => ({
        run: await findRun(run, ledger),
        changes: await ledger.staging.changes(run, sync),
      })),
  );
}

function toJson({ run: { run, sync, finishedAt, counts, error }, changes }: Waiting) {
  const shown = changes.map(({ key, op, at, resource, payload, changed, cmsId }) => ({
    ...{ key, op, at, resource, payload, changed },
    ...(cmsId === undefined ? {} : { cmsId }),
  }));
  return { run, sync, heldAt: finishedAt, error, counts, changes: shown };
}

function printWaiting({ run: { run, sync, finishedAt, error }, changes }: Waiting): void {
  print(
    process.stdout,
    `${colour('bold', sync)}: run ${run}, held ${finishedAt ?? ''}: ${error?.code} ${plain(error?.message ?? '')}`,
  );
  for (const change of changes)
    print(process.stdout, `  ${describeChange({ ...change, differences: differencesOf(change) })}`);
  print(process.stdout, `  → feedferry approve ${run}\n`);
}
