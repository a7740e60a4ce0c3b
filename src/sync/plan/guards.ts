import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import type { LimitShare } from '../../core/run.ts';
import type { Replacement } from '../../core/source-reading.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import { percentageOf } from '../measure/change-limits.ts';
import { changeShares, exceededBy, exceededLimits } from '../measure/judge-changes.ts';
import type { ShownMeasure } from '../measure/measure-changes.ts';
import { type Missing, missingRuleOf } from './missing-records.ts';

/** The parts of a plan that the guards judge. */
interface JudgedPlan {
  counts: { read: number };
  creates?: number;
  updates?: number;
  /** Number of records that were delivered before, if the feed has no records now. */
  deliveredBefore: number;
  missing: Pick<Missing, 'covered' | 'removals'> & Partial<Missing>;
  /** Of a sync with several sources. */
  sources?: {
    /** Records that another source takes over, because the one that published them no longer has them. */
    leaving: ReadonlyArray<{ source: string; removals: number; covered: number }>;
    /** Other sources than in the last run, another order, or other rules to merge them. */
    haveChanged: boolean;
  };
  /** What events that span days, or no longer do, replace. */
  replacements?: readonly Replacement[];
  /** Which of the items that are deleted for them were changed on the site; empty: none. */
  edited?: string;
  /** What counts towards the limits of `changes`; absent: nothing does, as after a change of the config. */
  measures?: readonly ShownMeasure[];
}

type JudgedSync = Pick<SyncConfig, 'name' | 'resource' | 'missing' | 'sources' | 'changes'> & {
  source?: Pick<SyncConfig['source'], 'deleted'>;
};

/** Why a plan is held back from the CMS. */
export interface Hold {
  error: CodedError;
  /** The changes that an approval would allow; absent: none can be approved, because a feed without records proves nothing. */
  heldFor?: ReadonlyArray<StagedRow['op']>;
}

/** Returns the reason to hold a plan back; undefined: it may be applied. */
export function judgePlan(plan: JudgedPlan, sync: JudgedSync): Hold | undefined {
  const empty = judgeEmpty(plan, sync);
  if (empty) return empty;
  const [first, ...others] = [judgeRemovals, judgeLeaving, judgeSources, judgeSpans, judgeMeasures].flatMap(
    (judge) => judge(plan, sync) ?? [],
  );
  if (first === undefined || others.length === 0) return first;
  // An approval allows every change that was held, so the message names every reason.
  const reasons = [first, ...others].map(({ error }) => error.message.replace(/ Nothing was changed\.$/, ''));
  const message = `${reasons.join(' ')} Nothing was changed.`;
  const heldFor = new Set([first, ...others].flatMap((hold) => hold.heldFor ?? []));
  return { error: new CodedError(first.error.code, message), heldFor: [...heldFor] };
}

function judgeEmpty({ counts, deliveredBefore }: JudgedPlan, { name }: JudgedSync): Hold | undefined {
  if (counts.read > 0 || deliveredBefore === 0) return undefined;
  const message = `The feed of "${name}" has no records, but ${deliveredBefore} were delivered before. Nothing was changed.`;
  return { error: new CodedError('FF_GUARD_EMPTY', message) };
}

function judgeRemovals(
  { missing }: Pick<JudgedPlan, 'missing'>,
  { name, missing: rule, source }: JudgedSync,
): Hold | undefined {
  const { covered, removals, removedBefore = 0 } = missing;
  if (rule.policy === 'keep' || removals === 0) return undefined;
  const { percent = 100, absolute = Number.POSITIVE_INFINITY } = rule.threshold;
  // Removals of the last days count as well, so that a feed that shrinks slowly is held, too.
  const removed = removals + removedBefore;
  const share = (100 * removed) / (covered + removedBefore);
  if (share <= percent && removed <= absolute) return undefined;
  const limit = share > percent ? `${percent} %` : absolute;
  const percentage = `${share.toFixed(0)} %`;
  const missingNow = `${removals} of the ${covered} records expected in "${name}"`;
  const verb = removals === 1 ? 'is' : 'are';
  const gone = `${verb} missing from the feed${source?.deleted ? ' or deleted in it' : ''}`;
  const message =
    removedBefore === 0
      ? `${missingNow} (${percentage}) ${gone}, more than the limit of ${limit}. Nothing was changed.`
      : `${missingNow} ${gone}. With the ${removedBefore} that were removed in the last 7 days, these ` +
        `are ${removed} (${percentage}), more than the limit of ${limit}. Nothing was changed.`;
  return { error: new CodedError('FF_GUARD_MISSING', message), heldFor: ['delete', 'mark'] };
}

/** How near a plan came to each limit. */
export function limitShares(
  { missing: { covered, removals, removedBefore = 0 }, measures = [] }: Pick<JudgedPlan, 'missing' | 'measures'>,
  sync: JudgedSync,
): LimitShare[] {
  const [records, of] = [removals + removedBefore, covered + removedBefore];
  const text = `${records} of the ${of} records expected in "${sync.name}" are missing from the feed`;
  const missing: LimitShare = { rule: 'missing', records, of, text };
  return [...(sync.missing.policy === 'keep' || removals === 0 ? [] : [missing]), ...changeShares(measures, sync)];
}

/** A source that loses many records at once may be cut off, even if other sources still have them. */
function judgeLeaving({ sources }: JudgedPlan, sync: JudgedSync): Hold[] {
  return (sources?.leaving ?? []).flatMap(({ source, ...missing }) => {
    const named = { ...sync, name: `${sync.name}/${source}`, missing: missingRuleOf(sync, source) };
    const hold = judgeRemovals({ missing }, named);
    return hold ? [{ ...hold, heldFor: ['update' as const] }] : [];
  });
}

/** Other sources, or another order, may change every event: a person looks at the plan once. */
function judgeSources(
  { sources, creates = 0, updates = 0, missing }: JudgedPlan,
  { name }: JudgedSync,
): Hold | undefined {
  const changes = creates + updates + missing.removals;
  if (!sources?.haveChanged || changes === 0) return undefined;
  const message = `The sources of "${name}", their order or \`merge\` have changed, and ${changes === 1 ? '1 record changes' : `${changes} records change`} with them. Nothing was changed.`;
  return { error: new CodedError('FF_GUARD_SOURCES', message), heldFor: ['create', 'update', 'delete', 'mark'] };
}

/** Events of the site are replaced by others although their source still has them: a person looks at the plan once. */
function judgeSpans({ replacements = [], edited = '' }: JudgedPlan, { name }: JudgedSync): Hold | undefined {
  const [first, ...others] = replacements;
  if (first === undefined) return undefined;
  const more = others.length > 0 ? ` (and ${others.length} more like this)` : '';
  const deletes = replacements.reduce((sum, each) => sum + each.deletes.length, 0);
  const items = deletes === 1 ? '1 item is' : `${deletes} items are`;
  const message = `In "${name}", ${first.message}${more}, and ${items} deleted. ${edited && `${edited} `}Nothing was changed.`;
  return { error: new CodedError('FF_GUARD_DAYS', message), heldFor: ['create', 'update', 'delete'] };
}

function judgeMeasures({ measures = [] }: JudgedPlan, sync: JudgedSync): Hold[] {
  return exceededLimits(measures, sync).map(({ code, reason, heldFor }) => {
    return { error: new CodedError(code, `${reason} Nothing was changed.`), heldFor };
  });
}

/** Returns the reason to hold back a repair that would write to more of the published records than a run may change. */
export function judgeHealing(
  { published, healed }: { published: number; healed: number },
  { name, changes }: Pick<SyncConfig, 'name' | 'changes'>,
): Hold | undefined {
  const limit = exceededBy({ records: healed, of: published }, { changes });
  if (!limit) return undefined;
  const share = percentageOf({ records: healed, of: published });
  const message =
    `${healed} of the ${published} published records of "${name}" (${share.toFixed(0)} %) ${healed === 1 ? 'differs' : 'differ'} in the CMS, more than the ` +
    `limit of ${limit.percent} %. Nothing was changed.`;
  return { error: new CodedError('FF_GUARD_CHANGES', message), heldFor: ['update', 'delete'] };
}

/** Up to this number, similar items may be a coincidence. */
export const FEW = 3;

/** Result of a search for new records. */
interface SearchedCreates {
  /** The records that look like items of the CMS. */
  duplicates: ReadonlyArray<{ key: string; cmsId: number }>;
  /** How many items the CMS counts, but does not show. */
  unshown: number;
  /** Why the lists prove nothing, if they show none of the items that they should. */
  unseen?: string | undefined;
}

/** Returns the reason to hold back creates: they would duplicate items, or the list does not prove that the CMS lacks them. */
export function judgeCreates(
  { duplicates, unshown, unseen }: SearchedCreates,
  { name, resource }: Pick<SyncConfig, 'name' | 'resource'>,
): Hold | undefined {
  const [first] = duplicates;
  if (first && duplicates.length > FEW) {
    const alike = resource === 'events' ? 'title, date and start' : 'email or username';
    const message =
      `The CMS already has items with the ${alike} of ${duplicates.length} records that the first run of "${name}" would ` +
      `create: "${first.key}" is like item ${first.cmsId}. Nothing was changed.`;
    return { error: new CodedError('FF_GUARD_DUPLICATES', message), heldFor: ['create'] };
  }
  if (unshown === 0 && unseen === undefined) return undefined;
  const message =
    unseen === undefined
      ? `The CMS counts ${unshown} items that its list does not show. They may be new records of "${name}". Nothing was changed.`
      : `The lists of the CMS show none of the items of "${name}" that they should: ${unseen}. The site may have the new records already. Nothing was changed.`;
  const remedy =
    'The next run looks again. If the CMS has none of the records, apply the plan: `feedferry approve RUN`.';
  return { error: new CodedError('FF_CMS_UNPROVEN', message, { remedy }), heldFor: ['create'] };
}
