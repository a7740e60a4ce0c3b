import type { PlanTotals } from '../../ledger/plans/staged-plan.ts';
import type { RunContext } from '../context/run-context.ts';
import { adoptExisting } from '../match/adopt-existing.ts';
import type { StagedPlan } from '../plan/stage-plan.ts';
import { enqueueAndWait } from './enqueue-and-wait.ts';

/**
 * Asks the CMS what has to be known before anything is written: whether it can be reached at all, and which of its items
 * the new records are. If it cannot be asked, what was planned has failed.
 * @throws CmsError
 */
export async function consultCms(
  run: string,
  { counts, creates, updates, removals }: PlanTotals,
  context: RunContext,
): Promise<void> {
  try {
    if (creates + updates + removals > 0) await checkCmsReachable(context);
    if (creates > 0) await adoptExisting(run, context);
  } catch (error) {
    const { read, unchanged, skipped, rejected } = counts;
    await context.ledger.runs.record(run, { counts: { ...counts, failed: read - unchanged - skipped - rejected } });
    throw error;
  }
}

/** Makes the staged plan of a run the desired state and delivers it. The run ends with the last of its records. */
export async function applyPlan(
  run: string,
  context: RunContext,
  { provesAbsence }: Pick<StagedPlan, 'provesAbsence'> = {},
): Promise<void> {
  const { ledger, sync } = context;
  const keepPasswords = sync.onDeletedInCms === 'recreate';
  // A plan that was held before was made for what this one changes.
  await ledger.plans.dropHeld(sync.name);
  const keys = await ledger.plans.apply(run, sync.name, {
    keepPasswords,
    ...(provesAbsence ? { provesAbsence } : {}),
  });
  await enqueueAndWait(run, keys, context);
}

/**
 * Reads once before the first write, so that a wrong token or address is reported once, not for every record.
 * @throws CmsError
 */
export async function checkCmsReachable({ checks, sync, signal }: RunContext): Promise<void> {
  if (sync.resource === 'accounts') await checks.accounts().page({ limit: 1 }, { signal });
  else await checks.events(sync.instance).page({ limit: 1 }, { signal });
}
