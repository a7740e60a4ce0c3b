import type { RunContext } from '../context/run-context.ts';
import { findHold } from './approve-run.ts';

/**
 * Drops the plan of a held run, and records by whom. The next run plans again, and is held again unless the feed has changed.
 * @param held id of the held run
 * @param set the set of changes that the user has seen
 * @throws CodedError as `approveRun` does
 */
export async function rejectPlan(held: string, set: string, context: RunContext): Promise<void> {
  const { ledger, sync, asked, log } = context;
  const hold = await findHold(held, context, { set });
  // A plan that was held in the meantime is kept.
  await ledger.plans.dropHeld(sync.name, hold.run);
  if (asked) await ledger.history.addDeed({ ...asked, sync: sync.name, run: hold.run });
  log.info({ run: hold.run }, 'A held plan was rejected.');
}
