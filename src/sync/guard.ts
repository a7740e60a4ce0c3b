import { CodedError } from '../core/errors.ts';
import type { Churn } from './relink.ts';

/** What the guards look at: counts of a staged plan, and what the ledger had before it. */
export interface PlanSummary {
  sync: string;
  read: number;
  deliveredBefore: number;
  churn: Churn;
}

/** The reason to hold a plan back from the CMS, or undefined where it may be applied. */
export function judgePlan(plan: PlanSummary): CodedError | undefined {
  if (plan.read === 0 && plan.deliveredBefore > 0) {
    return new CodedError(
      'FF_GUARD_EMPTY',
      `The feed of "${plan.sync}" has no records, but ${plan.deliveredBefore} were delivered before.`,
    );
  }
  if (plan.churn.wholeFeed && plan.churn.ambiguous > 0) {
    return new CodedError(
      'FF_GUARD_CHURN',
      `Most keys of the feed of "${plan.sync}" have changed, and ${plan.churn.ambiguous} of its records cannot be told apart ` +
        'from those published before.',
    );
  }
  return undefined;
}
