import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import type { RunReport } from '../../core/run.ts';
import type { PlanTotals, StagedChange } from '../../ledger/plans/staged-plan.ts';
import type { RunFindings } from '../../ledger/runs/runs.ts';
import { differencesOf } from '../compare/differences.ts';
import type { RunContext } from '../context/run-context.ts';
import { isCmsFailure } from '../items/cms-items.ts';
import { type FormerSync, formerSyncs } from '../items/former-syncs.ts';
import { unseenAttributes } from '../items/unseen-attributes.ts';
import { matchExisting } from '../match/adopt-existing.ts';
import { readMerged } from '../merge/merged-reading.ts';
import { createCost } from '../plan/cost.ts';
import { judgePlan } from '../plan/guards.ts';
import { readAndStage } from '../plan/read-and-stage.ts';
import { foldReading } from '../spans/fold-reading.ts';

import { applyMatches, type Consulted, checkCmsReachable, newestItems } from './consult-cms.ts';
import { checkTarget, endRun } from './lead-run.ts';

type Plan = PlanTotals & Pick<RunFindings, 'warnings'>;

/** The plan of a sync, as it is reported. */
export type PlanReport = Awaited<ReturnType<typeof planRun>>;
export type PlannedChange = ReturnType<typeof toPlanned>;

/**
 * Plans one sync and reports the plan. Reads the CMS if the plan has changes, and never writes to it. Errors are in the report.
 * @param show takes the changes, a page at a time, because a plan may be larger than the memory
 */
export async function planRun(asked: RunContext, show: (changes: PlannedChange[]) => Promise<void> | void = () => {}) {
  const { ledger, sync } = asked;
  const run = await ledger.runs.begin(sync.name, 'plan');
  let context: RunContext = { ...asked, isPlan: true };
  const planned = { create: 0, update: 0, delete: 0, mark: 0 };
  const cost = createCost();
  let fileRetries = 0;
  let problems: RunReport['problems'] = [];
  let held = 0;
  let unmapped: string[] = [];
  let lists = 0;
  try {
    context = { ...context, sync: await underFormerName(context) };
    await checkTarget(context);
    if (sync.sources) context = { ...context, ledger: { ...ledger, ...(await ledger.openDraft(run, sync.name)) } };
    context.onProgress?.({ phase: 'reading', sync: sync.name });
    const reading = sync.sources
      ? readMerged(run, context)
      : foldReading(context.readSource({ signal: context.signal, includesWithdrawn: true }), context);
    const plan = await readAndStage(run, reading, context);
    unmapped = [...reading.unmapped.keys()];
    const guarded = judgePlan(plan, sync);
    const consulted = guarded ? undefined : await askCms(run, plan, context);
    lists = consulted?.lists ?? 0;
    const hold = guarded ?? consulted?.hold;
    if (hold) await endRun(run, 'held', hold.error, context);
    problems = await ledger.plans.problems(run);
    held = (await ledger.plans.countByEffect(run)).held;
    for await (const changes of ledger.plans.changes(run, context.sync.name)) {
      for (const change of changes) {
        if (change.retriesFiles === 'only') {
          fileRetries += 1;
          continue;
        }
        planned[change.op] += 1;
        cost.add(change);
      }
      await show(changes.map(toPlanned));
    }
  } catch (error) {
    await endRun(run, 'failed', error, context);
  } finally {
    await ledger.plans.discard(run);
    if (sync.sources) await ledger.discardDraft(run);
    await ledger.runs.finish(run);
  }
  return {
    ...(await ledger.runs.report(run)),
    problems,
    creates: planned.create,
    updates: planned.update,
    /** Records that wait for a person; absent: none. */
    ...(held > 0 && { held }),
    /** Records that the CMS has refused before; absent: none. */
    ...(problems.length > held && { refused: problems.length - held }),
    /** Unchanged records whose undelivered files are tried again; absent: none. */
    ...(fileRetries > 0 && { fileRetries }),
    /** Missing records that would be deleted. */
    deletes: planned.delete,
    /** Missing records that would be marked. */
    marks: planned.mark,
    cost: cost.total(lists),
    /** Fields of the feed that the sync does not use. */
    unmapped,
  };
}

/**
 * Returns a sync under the name that its records have until a run takes them over.
 * @throws CodedError FF_PLAN_RENAMED if they have several names, or will have other keys, as if the sync had several sources before
 */
async function underFormerName({ ledger, sync }: RunContext): Promise<SyncConfig> {
  const former: FormerSync[] = [];
  for (const each of formerSyncs(sync))
    if (await ledger.records.hasToTakeOver(each.name, sync.name, each.prefix)) former.push(each);
  const left = sync.sources ? [] : await ledger.plans.formerSources(sync.name);
  const names = [...former, ...left.flatMap(({ source, isOpen }) => (isOpen ? { name: source } : []))];
  const [only] = former;
  if (!only && names.length === 0) return sync;
  if (
    !only ||
    names.length > 1 ||
    only.prefix !== '' ||
    (await ledger.records.syncsWithRecords()).includes(sync.name)
  ) {
    const listed = names.map(({ name }) => `"${name}"`).join(', ');
    throw new CodedError('FF_PLAN_RENAMED', `The next run of "${sync.name}" takes over the records of ${listed}.`);
  }
  return { ...sync, name: only.name, renamedFrom: [sync.name, ...(sync.renamedFrom ?? [])] };
}

function toPlanned({ attachments, delivered, ...shown }: StagedChange) {
  return { ...shown, differences: differencesOf({ ...shown, attachments, delivered }) };
}

/**
 * Asks the CMS as a run does: looks for the new records, or only whether it can be reached. If it cannot be asked, the plan has failed;
 * its changes are shown nevertheless, unless the sync adopts items.
 */
async function askCms(run: string, plan: Plan, context: RunContext): Promise<Consulted | undefined> {
  const { sync, target } = context;
  const { creates, updates, removals } = plan;
  try {
    if (creates === 0 && updates + removals > 0) await checkCmsReachable(context);
    if (creates === 0) return undefined;
    const newest = await newestItems(context);
    const warnings = [...(plan.warnings ?? []), ...unseenAttributes(newest, context)];
    await context.ledger.runs.record(run, { counts: plan.counts, warnings });
    return await applyMatches(run, { ...plan, warnings }, await matchExisting(run, newest, context), context);
  } catch (error) {
    if (!isCmsFailure(error)) throw error;
    const message = `The CMS at ${target.baseUrl} could not be asked about the changes: ${error.message}`;
    const failure = new CodedError(error.code, message, { cause: error });
    if (sync.adopt) throw failure;
    await endRun(run, 'failed', failure, context);
    return undefined;
  }
}
