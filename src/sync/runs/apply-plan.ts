import type { RunContext } from '../context/run-context.ts';
import { adoptExisting } from '../match/adopt-existing.ts';
import type { StagedPlan } from '../plan/stage-plan.ts';
import { enqueueAndWait } from './enqueue-and-wait.ts';

type Planned = Pick<StagedPlan, 'counts' | 'creates' | 'updates' | 'warnings'> &
  Partial<Pick<StagedPlan, 'receipt'>> & {
    /** Missing records that are to be deleted or marked. */
    removals?: number;
  };

/**
 * Asks the CMS what has to be known before anything is written: whether it can be reached at all, and which of its items
 * the new records are. Where it cannot be asked, what was planned has failed.
 * @throws CmsError
 */
export async function consultCms(run: string, plan: Planned, context: RunContext): Promise<void> {
  const { ledger } = context;
  try {
    if (plan.creates + plan.updates + (plan.removals ?? 0) > 0) await checkCmsReachable(context);
    if (plan.creates > 0) await adoptExisting(run, context);
  } catch (error) {
    const { read, unchanged, skipped, rejected } = plan.counts;
    const failed = read - unchanged - skipped - rejected;
    await ledger.runs.record(run, { ...plan, counts: { ...plan.counts, failed } });
    throw error;
  }
}

/** Makes the staged plan of a run the desired state, and delivers it. The run is finished with the last of its records. */
export async function applyPlan(
  run: string,
  context: RunContext,
  { provesAbsence }: Pick<StagedPlan, 'provesAbsence'> = {},
): Promise<void> {
  const { ledger, sync } = context;
  const keepPasswords = sync.onDeletedInCms === 'recreate';
  // What was held before was compared with what this changes.
  await ledger.holds.drop(sync.name);
  const keys = await ledger.staging.apply(run, sync.name, {
    keepPasswords,
    ...(provesAbsence ? { provesAbsence } : {}),
  });
  await enqueueAndWait(run, keys, context);
}

/**
 * One read before the first write: a wrong token or address is told at once, not once for every record.
 * @throws CmsError
 */
export async function checkCmsReachable({ checks, sync, signal }: RunContext): Promise<void> {
  if (sync.resource === 'accounts') await checks.accounts().page({ limit: 1 }, { signal });
  else await checks.events(sync.instance).page({ limit: 1 }, { signal });
}
