import { CodedError } from '../../core/errors.ts';
import type { RunContext } from '../context/run-context.ts';
import { findHold } from './approve-run.ts';

/**
 * Drops the plan of a held run, and records by whom. The next run plans again, and is held again unless the feed has changed.
 * @param held id of the held run
 * @param set the set of changes that the user has seen; absent: the set for which the run was held
 * @throws CodedError as `approveRun` does
 */
export async function rejectPlan(held: string, set: string | undefined, context: RunContext): Promise<void> {
  const { ledger, sync, asked, log } = context;
  const hold = await findHold(held, context, { set });
  await ledger.runs.endLeftAlone(sync.name);
  const approval = (await ledger.runs.underWay()).find((each) => each.sync === sync.name && each.kind === 'approval');
  if (approval) {
    throw new CodedError(
      'FF_RUN_BUSY',
      `The plan of run ${hold.run} of "${sync.name}" is being applied (${approval.run}).`,
    );
  }
  // A plan that was held in the meantime is kept.
  await ledger.plans.dropHeld(sync.name, { only: hold.run });
  if (asked) await ledger.history.addDeed({ ...asked, sync: sync.name, run: hold.run });
  log.info({ run: hold.run }, 'A held plan was rejected.');
}
