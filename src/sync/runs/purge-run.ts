import type { RunReport } from '../../core/run.ts';
import type { PurgedRecord } from '../../ledger/plans/purges.ts';
import type { RunContext } from '../context/run-context.ts';
import { applyPlan } from './apply-plan.ts';
import { checkCmsReachable } from './consult-cms.ts';
import { leadRun } from './lead-run.ts';

/** The items that a purge of a sync concerns. */
export type PurgePlan = Awaited<ReturnType<typeof planPurge>>;

/**
 * Returns what a purge would do, without changing anything.
 * @param source only what no other source of the sync has
 */
export async function planPurge({ ledger, sync }: Pick<RunContext, 'ledger' | 'sync'>, source?: string) {
  const records = await ledger.plans.purgeable(sync.name, source);
  return {
    /** Items that the sync has created, or may have created if the id is missing. */
    deletes: records.filter(({ isAdopted }) => !isAdopted),
    /** Items that the sync has adopted: they stay in the CMS, and the ledger forgets them. */
    adopted: records.filter(({ isAdopted }) => isAdopted),
  };
}

/**
 * Deletes every item that a sync has created, in a run of its own. Adopted items stay and are no longer managed.
 * @param source deletes only the items of events that no other source of the sync has. The next run publishes the other events of
 * this source as their other sources have them.
 * @returns the report of the run; undefined if the sync has no items
 * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
 */
export async function purgeRun(request: RunContext, source?: string): Promise<RunReport | undefined> {
  const { plans, runs, members } = request.ledger;
  const { name } = request.sync;
  const hasItems = (await plans.purgeable(name, source)).length > 0;
  if (!hasItems && (source === undefined || !(await members.hasSource(name, source)))) return undefined;
  return leadRun('purge', request, async (run, context) => {
    const { deletes, adopted } = await planPurge(context, source);
    if (deletes.length > 0) await checkCmsReachable(context);
    await plans.stagePurge(run, name, source);
    await runs.addRejections(run, 0, adopted.map(toRejection));
    await runs.record(run, await plans.summarise(run));
    await plans.forgetAdopted(name, source);
    if (source !== undefined) await members.forgetSource(name, source);
    await applyPlan(run, context);
  });
}

function toRejection({ key, at, cmsId }: PurgedRecord) {
  const reason = `item ${cmsId} existed before feedferry adopted it; it is not deleted, and no longer managed`;
  return { key, at, code: 'FF_PURGE_ADOPTED' as const, reason };
}
