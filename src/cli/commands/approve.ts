import type { App } from '../../app/app.ts';
import { CodedError } from '../../core/errors.ts';
import { describeChanges } from '../../core/text/describe-changes.ts';
import { heldPlanDocument } from '../../documents/held-plan.ts';
import { createLedgerQueries } from '../../queries/create-queries.ts';
import type { HeldPlanView } from '../../queries/views/run.ts';
import { actHere, withOptionsOf } from '../act.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { documentText } from '../output/as-text.ts';
import { asks, isConfirmed } from '../output/confirm.ts';
import { print, printJson } from '../output/print.ts';
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
    if (asks(options)) {
      const { ops } = await showHeldPlan(held, app, json);
      const effect = `In the CMS, this will ${describeChanges(ops, sync.resource)}.`;
      const question = { word: 'yes', effect, declined: 'Nothing was approved.' };
      if (!(await isConfirmed(question, signal))) return EXIT.failed;
    }
    return (await actHere('approve', { run: held, reason: options.reason }, app, context)).exitCode;
  });
}

/** Returns a held plan; on a terminal, it is shown first. */
export async function showHeldPlan(
  run: string,
  app: Pick<App, 'config' | 'ledger'>,
  isJson: boolean,
): Promise<HeldPlanView> {
  const queries = createLedgerQueries(() => app);
  const plan = await queries.heldPlan(run);
  const page = await queries.plannedItems(run, { limit: SHOWN });
  if (!isJson) print(documentText(heldPlanDocument(plan, page), app.config.target.timezone));
  return plan;
}

async function listHeld(id: string | undefined, { environment, json }: CommandContext): Promise<number> {
  return withQueries(environment, async (queries, { config }) => {
    const plans = id === undefined ? await queries.heldPlans() : [await queries.heldPlan(id)];
    const pageOf = ({ run }: HeldPlanView) =>
      queries.plannedItems(run, id === undefined ? { limit: SHOWN } : EVERYTHING);
    if (json && id === undefined) printJson({ plans });
    else if (json)
      printJson({ plans: await Promise.all(plans.map(async (plan) => ({ ...plan, ...(await pageOf(plan)) }))) });
    else if (plans.length === 0) print('No plan waits for approval.');
    else
      for (const plan of plans) {
        print(documentText(heldPlanDocument(plan, await pageOf(plan)), config.target.timezone));
        print(`  → feedferry approve ${plan.run}, or feedferry reject ${plan.run}\n`);
      }
    return EXIT.success;
  });
}
