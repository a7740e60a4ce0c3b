import { CodedError } from '../core/errors.ts';

/** What the guards look at: counts of a staged plan, and what the ledger had before it. */
export interface PlanSummary {
  sync: string;
  read: number;
  deliveredBefore: number;
}

/** The reason to hold a plan back from the CMS, or undefined where it may be applied. */
export function judgePlan(plan: PlanSummary): CodedError | undefined {
  if (plan.read === 0 && plan.deliveredBefore > 0) {
    return new CodedError(
      'FF_GUARD_EMPTY',
      `The feed of "${plan.sync}" has no records, but ${plan.deliveredBefore} were delivered before.`,
    );
  }
  return undefined;
}
