import type { RunReport } from '../../core/run.ts';
import type { PurgedRecord } from '../../ledger/plans/purges.ts';
import type { RunContext } from '../context/run-context.ts';
import { createsNothing } from '../match/verdict.ts';
import { applyPlan } from './apply-plan.ts';
import { checkCmsReachable } from './consult-cms.ts';
import { leadRun } from './lead-run.ts';

/** Returns what a purge would do, without changing anything. */
export async function planPurge({ ledger, sync }: Pick<RunContext, 'ledger' | 'sync'>) {
  const records = await ledger.plans.purgeable(sync.name);
  return {
    /** Items that the sync has created, or may have created if the id is missing. */
    deletes: records.filter(({ isAdopted }) => !isAdopted),
    /** Items that the sync has adopted: they stay in the CMS, and the ledger forgets them. */
    adopted: records.filter(({ isAdopted }) => isAdopted),
  };
}

/**
 * Deletes every item that a sync has created, in a run of its own. Adopted items stay and are no longer managed.
 * @returns the report of the run; undefined if the sync has no items
 * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
 */
export async function purgeRun(request: RunContext): Promise<RunReport | undefined> {
  const { plans, runs } = request.ledger;
  const { name } = request.sync;
  if ((await plans.purgeable(name)).length === 0) return undefined;
  return leadRun('purge', request, async (run, context) => {
    const { deletes, adopted } = await planPurge(context);
    if (deletes.length > 0) await checkCmsReachable(context);
    await plans.stagePurge(run, name);
    await runs.addRejections(run, 0, adopted.map(toRejection));
    await runs.record(run, await plans.summarise(run));
    await plans.forgetAdopted(name);
    await applyPlan(run, createsNothing, context);
  });
}

function toRejection({ key, at, cmsId }: PurgedRecord) {
  const reason = `item ${cmsId} existed before feedferry adopted it; it is not deleted, and no longer managed`;
  return { key, at, code: 'FF_PURGE_ADOPTED' as const, reason };
}
