import { CodedError } from '../../core/errors.ts';
import type { RunReport } from '../../core/run.ts';
import type { HeldPlan } from '../../ledger/plans/held-plans.ts';
import type { RunContext } from '../context/run-context.ts';
import { applyConsulted } from './consult-cms.ts';
import { leadRun } from './lead-run.ts';

/**
 * Applies the plan of a held run in a run of its own that does not read the feed. If a later run was held for the same set of
 * changes, applies the plan of the later run.
 * @param held id of the held run
 * @param set the set of changes that the user has seen; absent: the set for which the run was held
 * @throws CodedError FF_APPROVE_NOT_HELD if the run has no held plan, FF_APPROVE_STALE if the set has changed since,
 * FF_RUN_BUSY while another run of the sync is under way
 */
export async function approveRun(held: string, request: RunContext, set?: string): Promise<RunReport> {
  const { ledger, log } = request;
  await findHold(held, request, { set });
  return leadRun('approve', request, async (run, context) => {
    const hold = await findHold(held, context, { set, own: run });
    log.info({ run, held: hold.run }, 'A held plan was approved.');
    const { kind, error: approved } = await ledger.runs.get(hold.run);
    const counts = await ledger.plans.handOver(hold.run, run);
    const plan = { ...(await ledger.plans.summarise(run)), counts };
    await applyConsulted(run, plan, context, { approved, looksUpHeld: kind === 'retry' });
  });
}

/**
 * Finds the plan that a decision about a held run applies to.
 * @param options `set`: the set of changes that the user has seen; `own`: the run that approves, once it has begun
 * @throws CodedError as `approveRun` does
 */
export async function findHold(
  held: string,
  { ledger, sync }: Pick<RunContext, 'ledger' | 'sync'>,
  { set: seen, own }: { set?: string; own?: string } = {},
): Promise<HeldPlan> {
  const set = await ledger.plans.heldSet(held);
  if (set === undefined) {
    throw new CodedError('FF_APPROVE_NOT_HELD', `Run ${held} of "${sync.name}" has no held plan.`);
  }
  if (seen !== undefined && seen !== set) {
    throw new CodedError('FF_APPROVE_STALE', `Run ${held} of "${sync.name}" was held for another set of changes.`);
  }
  const other = (await ledger.runs.underWay()).find((each) => each.sync === sync.name && each.run !== own);
  const current = await ledger.plans.heldPlan(sync.name);
  if (current?.set === set) return current;
  if (!current && other) {
    // The other run has dropped the plan, and may itself be held soon for the same set.
    throw new CodedError('FF_RUN_BUSY', `Another run of "${sync.name}" is under way (${other.run}).`);
  }
  const { decision } = await ledger.runs.get(held);
  const why = decision
    ? `${decision.by} has ${decision.is} it`
    : current
      ? `run ${current.run} was held later, with another set of changes`
      : 'it was applied, or a later run has changed its records';
  throw new CodedError('FF_APPROVE_STALE', `The plan of run ${held} of "${sync.name}" is no longer valid: ${why}.`);
}

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
