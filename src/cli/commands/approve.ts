import { siteTime } from '../../core/dates/site-time.ts';
import { CodedError } from '../../core/errors.ts';
import { describeChanges } from '../../core/text/describe-changes.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { differencesOf } from '../../sync/compare/differences.ts';
import { actHere, withOptionsOf } from '../act.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { asks, isConfirmed } from '../output/confirm.ts';
import { describeChange } from '../output/plan-lines.ts';
import { colour, plain, print, printJson } from '../output/print.ts';
import { describeDecision } from '../output/run-tables.ts';
import { withRun } from '../with-app.ts';
import { withQueries } from '../with-ledger.ts';

export const approveCommand = withOptionsOf('approve', defineCommand('approve'))
  .argument('[run]', 'id of a held run')
  .option('--list', 'list the held plans and their first changes, or all changes of the plan of this run')
  .option('--yes', 'skip the preview and the confirmation')
  .action(execute(approve));

/** A command has no pages. */
const EVERYTHING = { limit: Number.MAX_SAFE_INTEGER - 1 };
/** Number of changes that are shown before a person is asked. */
const SHOWN = 20;

interface ApproveOptions {
  list?: boolean;
  reason?: string;
  yes?: boolean;
}

async function approve(context: CommandContext, held: string | undefined, options: ApproveOptions) {
  const { json, signal } = context;
  if (options.list) return listHeld(held, context);
  if (held === undefined)
    throw new CodedError('FF_USAGE', 'No run is named. `feedferry approve --list` lists the held runs.');
  return withRun(held, context, async (app, sync) => {
    const [plan] = asks(options) ? await heldPlans(held, app.ledger) : [];
    if (plan) {
      const changes = describeChanges(plan.ops, sync.resource);
      const effect = `In the CMS, this will ${changes}.`;
      if (!json) await printHeldPlan(plan, app.config.target.timezone);
      const question = { word: 'yes', effect, declined: 'Nothing was approved.' };
      if (!(await isConfirmed(question, signal))) return EXIT.failed;
    }
    return (await actHere('approve', { run: held, reason: options.reason }, app, context)).exitCode;
  });
}

async function listHeld(id: string | undefined, { environment, json }: CommandContext): Promise<number> {
  return withQueries(environment, async (queries, { config, ledger }) => {
    if (json) {
      if (id === undefined) printJson({ plans: await queries.heldPlans() });
      else printJson({ plans: [{ ...(await queries.heldPlan(id)), ...(await queries.plannedItems(id, EVERYTHING)) }] });
      return EXIT.success;
    }
    const plans = await heldPlans(id, ledger);
    if (plans.length === 0) print('No plan waits for approval.');
    for (const plan of plans) {
      await printHeldPlan(plan, config.target.timezone, { isWhole: id !== undefined });
      print(`  → feedferry approve ${plan.run.run}, or feedferry reject ${plan.run.run}\n`);
    }
    return EXIT.success;
  });
}

type HeldPlan = Awaited<ReturnType<typeof heldPlans>>[number];

export async function heldPlans(id: string | undefined, { runs, plans }: Ledger) {
  if (id !== undefined) await runs.get(id);
  const set = id === undefined ? undefined : await plans.heldSet(id);
  const wanted = (await plans.heldPlans()).filter((hold) => id === undefined || hold.set === set);
  return Promise.all(
    wanted.map(async ({ run, sync }) => {
      const changes = () => plans.changes(run, sync);
      return { run: await runs.get(run), ops: await plans.countByEffect(run), changes };
    }),
  );
}

/** Prints why a plan is held, and its first changes. */
export async function printHeldPlan(
  { run: { run, sync, finishedAt, error, decision }, ops, changes }: HeldPlan,
  timezone: string,
  { isWhole = false } = {},
): Promise<void> {
  const since = finishedAt === undefined ? '' : ` since ${siteTime(finishedAt, timezone)}`;
  print(`${colour('bold', sync)}: run ${run} is held${since}`);
  if (error) print(`${error.code} ${plain(error.message)}`);
  if (decision) print(`The same changes before: ${describeDecision(decision, timezone)}`);
  let left = Object.values(ops).reduce((sum, count) => sum + count, 0);
  let room = isWhole ? left : SHOWN;
  for await (const page of changes()) {
    for (const change of page.slice(0, room)) {
      print(`  ${describeChange({ ...change, differences: differencesOf(change) })}`);
    }
    [left, room] = [left - Math.min(room, page.length), Math.max(0, room - page.length)];
    if (room === 0) break;
  }
  if (left > 0) print(`  … and ${left} more: \`feedferry approve --list ${run}\``);
}
