import type { RunReport } from '../../core/run.ts';
import type { StagedChange } from '../../ledger/plans/staged-plan.ts';
import { type Difference, differencesOf } from '../compare/differences.ts';
import type { RunContext } from '../context/run-context.ts';
import { adoptExisting } from '../match/adopt-existing.ts';
import { type Cost, costOf } from '../plan/cost.ts';
import { judgePlan } from '../plan/guards.ts';
import { readAndStage } from '../plan/read-and-stage.ts';
import { checkTarget } from './check-target.ts';
import { endRun } from './lead-run.ts';

export interface PlanReport extends RunReport {
  creates: number;
  updates: number;
  /** Missing records that would be deleted. */
  deletes: number;
  /** Missing records that would be marked. */
  marks: number;
  changes: PlannedChange[];
  cost: Cost;
}

/** A change of a plan, as it is shown. */
export interface PlannedChange
  extends Pick<StagedChange, 'key' | 'op' | 'at' | 'resource' | 'payload' | 'changed' | 'adopts' | 'cmsId'> {
  differences: Difference[];
}

/** Plans one sync and reports the plan. Reads the CMS only if the sync adopts items, and never writes to it. Errors are in the report. */
export async function planRun(context: RunContext): Promise<PlanReport> {
  const { ledger, sync } = context;
  const run = await ledger.runs.begin(sync.name, 'plan');
  let changes: StagedChange[] = [];
  let problems: RunReport['problems'] = [];
  try {
    await checkTarget(context);
    context.onProgress?.({ phase: 'reading', sync: sync.name });
    const plan = await readAndStage(run, context.readSource({ signal: context.signal }), context);
    const hold = judgePlan(plan, sync);
    if (hold) await endRun(run, 'held', hold.error, context);
    else if (plan.creates > 0) await adoptExisting(run, context);
    problems = await ledger.plans.problems(run);
    changes = await ledger.plans.changes(run, sync.name);
  } catch (error) {
    await endRun(run, 'failed', error, context);
  } finally {
    await ledger.plans.discard(run);
  }
  return {
    ...(await ledger.runs.report(run)),
    problems,
    creates: changes.filter(({ op }) => op === 'create').length,
    updates: changes.filter(({ op }) => op === 'update').length,
    deletes: changes.filter(({ op }) => op === 'delete').length,
    marks: changes.filter(({ op }) => op === 'mark').length,
    changes: changes.map(toPlanned),
    cost: costOf(changes, { ...sync, keepsBefore: context.keepsBefore }),
  };
}

function toPlanned(change: StagedChange): PlannedChange {
  const { attachments, delivered, ...shown } = change;
  return { ...shown, differences: differencesOf(change) };
}
