import { CodedError } from '../../core/errors.ts';
import type { RunReport } from '../../core/run.ts';
import type { RunContext } from '../context/run-context.ts';
import { applyPlan, consultCms } from './apply-plan.ts';
import { leadRun } from './lead-run.ts';

/**
 * Retries the undelivered records of a sync as the ledger has them, without reading the feed; also those that the CMS
 * refused. Records on hold because the CMS may already have them are looked up first.
 * @param named keys of the records to retry; absent: all that the source still has
 * @returns the report of the run; undefined if there is nothing to retry
 * @throws CodedError FF_RECORD_UNKNOWN for a key that the ledger does not have, FF_RUN_BUSY while another run is under way
 */
export async function retryRun(
  named: readonly string[] | undefined,
  context: RunContext,
): Promise<RunReport | undefined> {
  const { sync, ledger } = context;
  const { plans, runs } = ledger;
  const [unknown] = named ? await plans.unknownKeys(sync.name, named) : [];
  if (unknown !== undefined) {
    throw new CodedError('FF_RECORD_UNKNOWN', `The ledger has no record "${unknown}" of "${sync.name}".`);
  }
  const due = await plans.retryable(sync.name, named);
  if (due.length === 0) return undefined;
  return leadRun('retry', context, async (run) => {
    // Also stages records that are not named, because an item may match several records.
    await plans.stageRetries(run, sync.name, named);
    const plan = await plans.summarise(run, named);
    await runs.record(run, plan);
    await consultCms(run, plan, context);
    if (named) await plans.keepOnly(run, named);
    await plans.lookUpHeld(run, sync.name);
    await applyPlan(run, context);
  });
}
