import type { MissingRule } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import type { Churn } from './changed-keys.ts';
import type { Missing } from './missing-records.ts';

/** What the guards look at: counts of a staged plan, and what the ledger had before it. */
export interface PlanSummary {
  sync: string;
  /** What happens to missing records. */
  rule: MissingRule;
  read: number;
  deliveredBefore: number;
  churn: Churn;
  missing: Missing;
}

/** A plan is held back from the CMS. */
export interface Hold {
  error: CodedError;
  /** The changes that it is held for, where they may be approved; a feed without any records proves nothing. */
  heldFor?: ReadonlyArray<StagedRow['op']>;
}

/** The reason to hold a plan back, or undefined where it may be applied. */
export function judgePlan(plan: PlanSummary): Hold | undefined {
  return judgeEmpty(plan) ?? judgeChurn(plan) ?? judgeRemovals(plan);
}

function judgeEmpty({ sync, read, deliveredBefore }: PlanSummary): Hold | undefined {
  if (read > 0 || deliveredBefore === 0) return undefined;
  const message = `The feed of "${sync}" has no records, but ${deliveredBefore} were delivered before.`;
  return { error: new CodedError('FF_GUARD_EMPTY', message) };
}

function judgeChurn({ sync, churn }: PlanSummary): Hold | undefined {
  if (!churn.wholeFeed || churn.ambiguous === 0) return undefined;
  const message =
    `Most keys of the feed of "${sync}" have changed, and ${churn.ambiguous} of its records cannot be told apart ` +
    'from those published before.';
  return { error: new CodedError('FF_GUARD_CHURN', message), heldFor: ['create', 'delete', 'mark'] };
}

function judgeRemovals({ sync, rule, missing: { answered, removals } }: PlanSummary): Hold | undefined {
  if (rule.policy === 'keep' || removals === 0) return undefined;
  const { percent = 100, absolute = Number.POSITIVE_INFINITY } = rule.threshold;
  const share = (100 * removals) / answered;
  if (share <= percent && removals <= absolute) return undefined;
  const limit = share > percent ? `more than ${percent} %` : `more than ${absolute}`;
  const message =
    `The feed of "${sync}" has no more ${removals} of the ${answered} records that it should have (${share.toFixed(0)} %): ` +
    `that is ${limit}, so that none of them is ${rule.policy === 'delete' ? 'deleted' : 'marked'} before it is approved.`;
  return { error: new CodedError('FF_GUARD_MISSING', message), heldFor: ['delete', 'mark'] };
}
