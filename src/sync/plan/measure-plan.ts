import { clockAt } from '../../core/dates/iso-date.ts';
import type { Warning } from '../../core/record.ts';
import type { PlanTotals } from '../../ledger/plans/staged-plan.ts';
import type { RunContext } from '../context/run-context.ts';
import { limitFor, limitsOf, mayExceed } from '../measure/change-limits.ts';
import { exceededLimits } from '../measure/judge-changes.ts';
import { createTally, type ShownMeasure } from '../measure/measure-changes.ts';
import type { Churn } from './changed-keys.ts';
import { coveredRecords } from './coverage.ts';
import type { Missing } from './missing-records.ts';

/** Changes of so many ms add up. Longer, and the usual changes of a busy calendar would. */
const ADD_UP_MS = 86_400_000;

interface StagedPlan {
  totals: PlanTotals;
  churn: Churn;
  missing: Missing;
  /** Whether the feed proves that records are missing. */
  isWhole: boolean;
  /** How many published records only get other days and times. */
  moved: number;
}

/**
 * Counts what a staged plan does to published records. After a change of the config or of feedferry itself, changes are expected:
 * then there are no measures, but a warning instead of a hold.
 */
export async function measurePlan(run: string, plan: StagedPlan, context: RunContext) {
  const { ledger, sync, fingerprint } = context;
  const published = await countPublished(plan, context);
  const fewest = Object.values(limitsOf(sync)).map(({ atLeast, uniform }) => Math.min(atLeast, uniform.atLeast));
  const isJudged = plan.totals.updates > 0 && fewest.some((atLeast) => published >= atLeast);
  const churn = await measureChurn(run, plan, context);
  if (!isJudged && plan.moved === 0) return { measures: churn, warnings: [] };
  const before = await ledger.runs.lastFingerprint(sync.name);
  const { isSameConfig, zoneRules } = compareFingerprints(before, fingerprint);
  const warnings: Warning[] = [];
  if (zoneRules && plan.moved > 0) {
    const message = `the time zone rules have changed from ${zoneRules}: this may be why records move (${plan.moved})`;
    warnings.push({ at: 'feed', message });
  }
  const changes = isJudged ? await measureUpdates(run, published, zoneRules !== undefined, context) : [];
  if (isSameConfig) return { measures: [...churn, ...changes], warnings };
  const isExpected =
    'This does not hold the run, because the config or the version of feedferry has changed since the last one.';
  for (const { reason } of exceededLimits(changes, sync))
    warnings.push({ at: 'feed', message: `${reason} ${isExpected}` });
  return { measures: churn, warnings };
}

/** What differs from an earlier plan, by the fingerprints of both: the config, and the version of the time zone rules. */
export function compareFingerprints(before: string | undefined, now: string) {
  const [, , oldRules, oldContent, oldSources] = before?.split('.') ?? [];
  const [, , rules, content, sources] = now.split('.');
  return {
    isSameConfig: content === oldContent,
    /** The sync has other sources than before, in another order, or other rules to merge them. */
    hasOtherSources: oldSources !== undefined && oldSources !== sources,
    zoneRules: oldRules !== undefined && oldRules !== rules ? `${oldRules} to ${rules}` : undefined,
  };
}

/** A feed of changes has few of the published records. */
async function countPublished(
  { totals: { counts, updates } }: StagedPlan,
  { ledger, sync }: RunContext,
): Promise<number> {
  if (sync.source.partial && updates > 0) return ledger.plans.countDelivered(sync.name);
  return counts.unchanged + updates;
}

async function measureUpdates(
  run: string,
  published: number,
  mayMove: boolean,
  { ledger, sync, target, runtime }: RunContext,
): Promise<ShownMeasure[]> {
  const ignored = new Set([
    ...(target.externalId === undefined ? [] : [target.externalId]),
    ...(sync.changes?.ignore ?? []),
  ]);
  const now = clockAt(runtime.now(), target.timezone);
  const tally = createTally({ resource: sync.resource, ignored, mayMove, now });
  for await (const updates of ledger.plans.updates(run, sync.name)) for (const update of updates) tally.add(update);
  for await (const updates of ledger.plans.recentUpdates(run, sync.name, ADD_UP_MS)) updates.forEach(tally.addRecent);
  const limits = limitsOf(sync);
  const isOfAll = ({ rule, uniform }: ShownMeasure) => !uniform && (rule === 'threshold' || rule === 'core');
  // The others are shares of the records that have a value, so those without changes count, too.
  if (tally.measures(published).some((each) => !isOfAll(each) && mayExceed(each, limitFor(each, limits)))) {
    const others = ledger.plans.otherContents(run, sync.name, { all: sync.source.partial === true });
    for await (const contents of others) for (const content of contents) tally.addOther(content);
  }
  return tally.measures(published);
}

/** How many records that should be in the feed are missing, if about as many are new, or more. */
async function measureChurn(
  run: string,
  { totals, churn, missing, isWhole }: StagedPlan,
  context: RunContext,
): Promise<ShownMeasure[]> {
  const { ledger, sync } = context;
  const { churn: limit } = limitsOf(sync);
  if (!limit || sync.source.partial || totals.creates < limit.fewest) return [];
  const counted = isWhole ? missing : await ledger.plans.countMissing(run, sync.name, await coveredRecords(context));
  if (counted.newly < limit.fewest) return [];
  const fresh = isWhole ? churn.fresh : (await ledger.plans.newRecords(run, sync.name)).length;
  if (fresh < limit.fewest || fresh < counted.newly / 2) return [];
  // Records that have been missing for long are not expected.
  const of = counted.covered - counted.missing + counted.newly;
  return [{ rule: 'churn', records: counted.newly, of, fresh }];
}
