import type { Command } from 'commander';
import { CodedError } from '../../core/errors.ts';
import { type Ledger, openLedger } from '../../ledger/ledger.ts';
import type { StagedChange } from '../../ledger/plans/staged-plan.ts';
import type { PastRun } from '../../ledger/runs/run-list.ts';
import { differencesOf } from '../../sync/compare/differences.ts';
import { approveRun } from '../../sync/runs/approve-run.ts';
import { type CommandContext, type CommonOptions, defineCommand, execute } from '../command.ts';
import { EXIT, exitCodeOf } from '../exit.ts';
import { describeChange } from '../output/plan-lines.ts';
import { createProgressLine } from '../output/progress.ts';
import { toRunResult } from '../output/run-result.ts';
import { colour, plain, print, printJson, printRuns } from '../output/tables.ts';
import { withRun } from '../with-app.ts';

interface ApproveOptions extends CommonOptions {
  list?: boolean;
}

export function approveCommand(): Command {
  return defineCommand('approve', 'apply the plan of a held run, exactly that set; --list shows what waits')
    .argument('[run]', 'id of a held run')
    .option('--list', 'list the held plans, of all syncs or of this run, and what they would do')
    .action((run: string | undefined, options: ApproveOptions) =>
      execute(options, (context) => (options.list ? list(run, context) : approve(run, context))),
    );
}

async function approve(held: string | undefined, context: CommandContext): Promise<number> {
  if (held === undefined)
    throw new CodedError('FF_USAGE', 'Name the run to approve; `feedferry approve --list` lists them.');
  const { json, signal } = context;
  return withRun(held, context, async (app, sync) => {
    const progress = createProgressLine();
    const report = await approveRun(held, app.contextOf(sync, { signal, onProgress: progress.show }));
    progress.clear();
    if (json) printJson({ runs: [toRunResult(report)] });
    else printRuns([report]);
    return exitCodeOf([report]);
  });
}

/** What waits for an approval. */
interface Waiting {
  run: PastRun;
  changes: StagedChange[];
}

async function list(id: string | undefined, { environment, json }: CommandContext): Promise<number> {
  const ledger = await openLedger(environment);
  try {
    const waiting = await findWaiting(id, ledger);
    if (json) printJson({ held: waiting.map(toJson) });
    else if (waiting.length === 0) print(process.stdout, 'Nothing waits for an approval.');
    else for (const each of waiting) printWaiting(each);
    return EXIT.success;
  } finally {
    await ledger.close();
  }
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

async function findRun(id: string, ledger: Ledger): Promise<PastRun> {
  const run = await ledger.pastRuns.find(id);
  if (!run) throw new CodedError('FF_RUN_UNKNOWN', `The ledger has no run "${id}".`);
  return run;
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
