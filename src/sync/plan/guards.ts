import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import type { Churn } from './changed-keys.ts';
import type { Missing } from './missing-records.ts';

/** What the guards look at. */
interface JudgedPlan {
  counts: { read: number };
  /** Records that were delivered before, if the feed has none now. */
  deliveredBefore: number;
  churn: Churn;
  missing: Missing;
}

type JudgedSync = Pick<SyncConfig, 'name' | 'missing'>;

/** Why a plan is held back from the CMS. */
export interface Hold {
  error: CodedError;
  /** The changes that an approval would allow; absent: none can be approved, because a feed without records proves nothing. */
  heldFor?: ReadonlyArray<StagedRow['op']>;
}

/** Returns the reason to hold a plan back; undefined: it may be applied. */
export function judgePlan(plan: JudgedPlan, sync: JudgedSync): Hold | undefined {
  return judgeEmpty(plan, sync) ?? judgeChurn(plan, sync) ?? judgeRemovals(plan, sync);
}

function judgeEmpty({ counts, deliveredBefore }: JudgedPlan, { name }: JudgedSync): Hold | undefined {
  if (counts.read > 0 || deliveredBefore === 0) return undefined;
  const message = `The feed of "${name}" has no records, but ${deliveredBefore} were delivered before. Nothing was changed.`;
  return { error: new CodedError('FF_GUARD_EMPTY', message) };
}

function judgeChurn({ churn }: JudgedPlan, { name }: JudgedSync): Hold | undefined {
  if (!churn.wholeFeed || churn.ambiguous === 0) return undefined;
  const message =
    `Most keys in the feed of "${name}" have changed, and ${churn.ambiguous} of its records cannot be matched ` +
    'with the published ones. Nothing was changed.';
  return { error: new CodedError('FF_GUARD_CHURN', message), heldFor: ['create', 'delete', 'mark'] };
}

function judgeRemovals({ missing }: JudgedPlan, { name, missing: rule }: JudgedSync): Hold | undefined {
  const { covered, removals } = missing;
  if (rule.policy === 'keep' || removals === 0) return undefined;
  const { percent = 100, absolute = Number.POSITIVE_INFINITY } = rule.threshold;
  const share = (100 * removals) / covered;
  if (share <= percent && removals <= absolute) return undefined;
  const limit = share > percent ? `${percent} %` : absolute;
  const message =
    `${removals} of the ${covered} records expected in "${name}" (${share.toFixed(0)} %) are missing from the feed, ` +
    `more than the limit of ${limit}. Nothing was changed.`;
  return { error: new CodedError('FF_GUARD_MISSING', message), heldFor: ['delete', 'mark'] };
}

/** So many similar items may be a coincidence. */
const FEW = 3;

/** Returns the reason to hold back the first run of a sync: it would double what the site has. */
export function judgeDuplicates(
  duplicates: ReadonlyArray<{ key: string; cmsId: number }>,
  { name, resource }: Pick<SyncConfig, 'name' | 'resource'>,
): Hold | undefined {
  const [first] = duplicates;
  if (!first || duplicates.length <= FEW) return undefined;
  const alike = resource === 'events' ? 'title, date and start' : 'email or username';
  const message =
    `The CMS already has items with the ${alike} of ${duplicates.length} records that the first run of "${name}" would ` +
    `create: "${first.key}" is like item ${first.cmsId}. Nothing was changed.`;
  return { error: new CodedError('FF_GUARD_DUPLICATES', message), heldFor: ['create'] };
}
