import { CodedError } from '../../core/errors.ts';
import type { RunReport } from '../../core/run.ts';
import type { RunContext } from '../context/run-context.ts';
import { applyPlan, consultCms } from './apply-plan.ts';
import { leadRun } from './lead-run.ts';

/**
 * Tries the records of a sync again that did not get through, as the ledger has them; the feed is not read. What the CMS
 * refused is sent again, too. What was held since the CMS may have it already is looked for there before it is created.
 * @param named keys of the only records to try; absent: all that the source still wants
 * @returns the report of the run; undefined where there is nothing to try
 * @throws CodedError FF_RECORD_UNKNOWN for a key that the ledger does not have, FF_RUN_BUSY while another run is under way
 */
export async function retryRun(
  named: readonly string[] | undefined,
  context: RunContext,
): Promise<RunReport | undefined> {
  const { ledger, sync } = context;
  const [unknown] = named ? await ledger.plans.unknownKeys(sync.name, named) : [];
  if (unknown !== undefined) {
    throw new CodedError('FF_RECORD_UNKNOWN', `The ledger has no record "${unknown}" of "${sync.name}".`);
  }
  const due = await ledger.plans.retryable(sync.name, named);
  if (due.length === 0) return undefined;
  return leadRun('retry', context, (run) => tryAgain(run, named, context));
}

/** What is not named is staged as well: it may be what makes an item ambiguous that could be adopted. */
async function tryAgain(run: string, named: readonly string[] | undefined, context: RunContext): Promise<void> {
  const { sync, ledger } = context;
  const { plans, runs } = ledger;
  await plans.stageRetries(run, sync.name, named);
  const plan = await plans.summarise(run, named);
  await runs.record(run, plan);
  await consultCms(run, plan, context);
  if (named) await plans.keepOnly(run, named);
  await plans.lookUpHeld(run, sync.name);
  await applyPlan(run, context);
}
