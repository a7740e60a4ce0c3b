import type { RunReport } from '../../core/run.ts';
import type { PurgedRecord } from '../../ledger/plans/purges.ts';
import type { RunContext } from '../context/run-context.ts';
import { applyPlan, checkCmsReachable } from './apply-plan.ts';
import { leadRun } from './lead-run.ts';

/** What a purge of a sync is about. */
export interface PurgePlan {
  /** Items that the sync has created, or, where there is no id, may have. */
  deletes: PurgedRecord[];
  /** Items that the CMS had before: they stay, and the ledger forgets them. */
  adopted: PurgedRecord[];
}

/** What a purge would do; nothing is changed. */
export async function planPurge({ ledger, sync }: Pick<RunContext, 'ledger' | 'sync'>): Promise<PurgePlan> {
  const records = await ledger.plans.purgeable(sync.name);
  return {
    deletes: records.filter(({ isAdopted }) => !isAdopted),
    adopted: records.filter(({ isAdopted }) => isAdopted),
  };
}

/**
 * Deletes every item that a sync has created, in a run of its own; what was adopted stays, and is nobody's from then on.
 * @returns the report of the run; undefined where the sync has no items
 * @throws CodedError FF_RUN_BUSY while another run of the sync is under way
 */
export async function purgeRun(context: RunContext): Promise<RunReport | undefined> {
  const { deletes, adopted } = await planPurge(context);
  if (deletes.length + adopted.length === 0) return undefined;
  return leadRun('purge', context, (run) => purge(run, context));
}

async function purge(run: string, context: RunContext): Promise<void> {
  const { ledger, sync } = context;
  const { deletes, adopted } = await planPurge(context);
  if (deletes.length > 0) await checkCmsReachable(context);
  await ledger.plans.stagePurge(run, sync.name);
  await ledger.runs.addRejections(run, 0, adopted.map(toRejection));
  await ledger.runs.record(run, await ledger.plans.summarise(run));
  await ledger.plans.forgetAdopted(sync.name);
  await applyPlan(run, context);
}

function toRejection({ key, at, cmsId }: PurgedRecord) {
  const reason = `item ${cmsId} existed before feedferry adopted it; it is not deleted, and no longer managed`;
  return { key, at, code: 'FF_PURGE_ADOPTED' as const, reason };
}
