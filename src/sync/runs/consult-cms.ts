import { CmsError } from '../../cms/errors.ts';
import { TargetStoppedError } from '../../core/gate.ts';
import type { ApplyRules } from '../../ledger/plans/make-desired.ts';
import type { PlanTotals } from '../../ledger/plans/staged-plan.ts';
import type { Verdict } from '../../ledger/plans/verdict.ts';
import type { RunFindings } from '../../ledger/runs/runs.ts';
import type { RunContext } from '../context/run-context.ts';
import { ITEMS_PER_PAGE, isCmsFailure, newestPage } from '../items/cms-items.ts';
import { adoptExisting, type Matches, matchExisting } from '../match/adopt-existing.ts';
import { itemsOfEditors, sortAlike, toHold } from '../match/settle-alike.ts';
import { createsNothing, judged } from '../match/verdict.ts';
import { FEW, type Hold, judgeCreates } from '../plan/guards.ts';
import { reviewNew } from '../plan/review-new.ts';
import { applyPlan } from './apply-plan.ts';
import { endRun } from './lead-run.ts';

/** How often a site is asked for an item while nothing changes. */
const ASK_EVERY_MS = 3_600_000;

type Plan = PlanTotals & Pick<RunFindings, 'warnings'>;

interface ConsultOptions {
  /** The plan was held with this error, and a person has approved it. Another hold is not approved. */
  approved?: { code: string; message: string };
  /** Keys of the records that are delivered; absent: all of the plan. */
  named?: readonly string[];
  /** Records that are held because their items may exist are looked up before they are created. */
  looksUpHeld?: boolean;
}

/** What follows from the comparison with the CMS. */
export interface Consulted {
  /** About the creates that are left. */
  verdict: Verdict;
  /** The reason to hold the plan back, if it would duplicate items of the CMS. */
  hold?: Hold;
  /** Keys of records that are not created, because a person has said so, or that the site has them. */
  omitted: readonly string[];
  /** The highest id that the CMS has shown. */
  newestId?: number | undefined;
  /** How many lists of the CMS were read. */
  lists: number;
}

interface ApplyOptions extends ConsultOptions, Pick<ApplyRules, 'provesAbsence'> {
  /** Why no plan of the run is kept for an approval. */
  cannotBeApproved?: boolean;
}

/**
 * Applies a staged plan if the comparison with the CMS allows it; else ends the run as held.
 * @throws CmsError
 */
export async function applyConsulted(
  run: string,
  plan: Plan,
  context: RunContext,
  options: ApplyOptions = {},
): Promise<void> {
  const { ledger, sync } = context;
  const { named, looksUpHeld, provesAbsence, cannotBeApproved } = options;
  const { verdict, hold, newestId } = await consultCms(run, plan, context, options);
  if (named) await ledger.plans.keepOnly(run, named);
  if (hold) return holdRun(run, cannotBeApproved ? { error: hold.error } : hold, context);
  if (looksUpHeld) await ledger.plans.lookUpHeld(run, sync.name);
  // A retry publishes nothing that its sources have joined since.
  else if (sync.sources) await ledger.members.noteCovered(run, sync.name);
  await applyPlan(run, verdict, context, { provesAbsence, newestId });
}

/**
 * Ends a run as held that its plan alone holds. If an approval is possible, new records that look like items of others are held before, so
 * that the person sees what it would do. What the CMS has of the others is judged when they are created.
 */
export async function holdPlan(run: string, hold: Hold, plan: Plan, context: RunContext): Promise<void> {
  try {
    if (hold.heldFor && plan.creates > 0)
      await settleAlike(run, plan, await matchExisting(run, await newestItems(context), context), context);
  } catch (error) {
    // A plan is held whether or not the CMS can be asked.
    context.signal.throwIfAborted();
    if (!isCmsFailure(error)) throw error;
  }
  await holdRun(run, hold, context);
}

/** Ends a run as held. Its plan, if it can be approved, replaces an earlier one. */
export async function holdRun(run: string, { error, heldFor }: Hold, context: RunContext): Promise<void> {
  const { plans } = context.ledger;
  if (heldFor) await plans.keepHeld(run, heldFor);
  await endRun(run, 'held', error, context);
  await plans.replaceHeld(context.sync.name, run);
}

/**
 * Asks the CMS before anything is written: whether it can be reached at all, which of its items the new records are, and which
 * items they look like.
 * @throws CmsError
 */
async function consultCms(
  run: string,
  plan: Plan,
  context: RunContext,
  options: ConsultOptions = {},
): Promise<Consulted> {
  const { creates, updates, removals } = plan;
  const hasChanges = creates + updates + removals > 0;
  if (!hasChanges) await askIfDue(context);
  else await noteAsking(context);
  if (creates === 0 && hasChanges) await checkCmsReachable(context);
  if (creates === 0) return { verdict: createsNothing, omitted: [], lists: 0 };
  const matches = await matchExisting(run, await newestItems(context), context, options);
  const consulted = await applyMatches(run, plan, matches, context, options);
  await context.ledger.plans.relink(context.sync.name, matches.unknown, run);
  return consulted;
}

/** Changes a staged plan by what the CMS has of its new records: adopts items, holds and skips records that look like others. */
export async function applyMatches(
  run: string,
  plan: Pick<Plan, 'counts' | 'warnings'>,
  matches: Matches,
  context: RunContext,
  { approved, named }: ConsultOptions = {},
): Promise<Consulted> {
  const { ledger, sync } = context;
  await adoptExisting(run, matches, context);
  const { omitted, duplicates, held } = await settleAlike(run, plan, matches, context, named);
  const holds = [duplicates, []].map((some) => judgeCreates({ ...matches, duplicates: some }, sync));
  const isOpen = (hold: Hold | undefined) =>
    hold && !(hold.error.code === approved?.code && hold.error.message === approved.message);
  // The person who approves the plan of a first run says that its records are different from the items that they look like.
  if (approved && !isOpen(holds[0])) await ledger.plans.noteDistinct(run, duplicates);
  const hold = holds.find(isOpen);
  const others = [matches.adopted.size, matches.held.length, held.length, omitted.length];
  const creates = others.reduce((left, count) => left - count, matches.creates);
  return { verdict: judged(creates), ...(hold && { hold }), omitted, newestId: matches.newestId, lists: matches.lists };
}

/** Holds or skips the records that look like items of others. */
async function settleAlike(
  run: string,
  { counts, warnings = [] }: Pick<Plan, 'counts' | 'warnings'>,
  { alike, isFirst, isCut }: Matches,
  { ledger, sync }: RunContext,
  named?: readonly string[],
) {
  const { same, open } = await sortAlike(alike, { ledger, sync });
  const ofEditors = itemsOfEditors(open).filter(({ key }) => named?.includes(key) ?? true);
  // So many at once are rather a lost ledger, or content that is to be adopted: a person decides about the whole plan.
  const duplicates = isFirst && ofEditors.length > FEW ? ofEditors : [];
  const left = new Set(duplicates.map(({ key }) => key));
  const held = open.filter(({ key }) => !left.has(key)).map((record) => toHold(record, sync.name));
  if (held.length > 0) await ledger.plans.hold(run, held);
  await ledger.plans.skip(run, same);
  const reviewed = await reviewNew(run, { ledger, sync });
  if (reviewed.held.length > 0) await ledger.plans.hold(run, reviewed.held);
  await ledger.plans.skip(run, reviewed.left);
  const omitted = [...same, ...reviewed.left];
  const skipped = named ? omitted.filter((key) => named.includes(key)).length : omitted.length;
  if (skipped > 0 || isCut) {
    const more = isCut ? [UNREAD] : [];
    await ledger.runs.record(run, {
      counts: { ...counts, skipped: counts.skipped + skipped },
      warnings: [...warnings, ...more],
    });
  }
  return { omitted, duplicates, held: [...held, ...reviewed.held] };
}

const UNREAD = {
  at: 'CMS',
  message: 'Not all items of the CMS could be compared with the new records: it may have some of them already.',
};

/**
 * Reads once if no run has asked the site for an hour: a token that the CMS no longer accepts is noticed although nothing changes. While
 * the CMS refuses it, every run asks.
 * @throws CmsError, TargetStoppedError if the CMS refuses all requests; other failures do not concern a run that sends nothing
 */
export async function askIfDue(context: RunContext): Promise<void> {
  if (!(await noteAsking(context))) return;
  try {
    await checkCmsReachable(context);
  } catch (error) {
    const isRefused = error instanceof TargetStoppedError || (error instanceof CmsError && error.kind === 'stops');
    if (!isRefused) return;
    await context.ledger.turns.returnTurn(askingOf(context));
    throw error;
  }
}

/** Notes that a run asks the site; false if one did within the last hour. */
function noteAsking(context: RunContext): Promise<boolean> {
  return context.ledger.turns.takeTurn(askingOf(context), ASK_EVERY_MS);
}

function askingOf({ targetId }: RunContext): string {
  return `ask ${targetId}`;
}

/**
 * Reads once before the first write, so that a wrong token or address is reported once, not for every record.
 * @throws CmsError
 */
export async function checkCmsReachable({
  checks,
  sync,
  signal,
}: Pick<RunContext, 'checks' | 'sync' | 'signal'>): Promise<void> {
  if (sync.resource === 'accounts') await checks.accounts().page({ limit: 1 }, { signal });
  else await checks.events(sync.instance).page({ limit: 1 }, { signal });
}

/**
 * Checks that the CMS can be reached. Returns its newest items, or any if the CMS cannot sort.
 * @throws CmsError
 */
export async function newestItems({ checks, sync, signal }: Pick<RunContext, 'checks' | 'sync' | 'signal'>) {
  const list = sync.resource === 'accounts' ? checks.accounts() : checks.events(sync.instance);
  const newest = await newestPage(list, { signal });
  return newest ?? (await list.page({ limit: ITEMS_PER_PAGE }, { signal })).data;
}
