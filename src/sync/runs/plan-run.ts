import type { RunReport } from '../../core/run.ts';
import type { StagedChange } from '../../ledger/plans/staged-plan.ts';
import { differencesOf } from '../compare/differences.ts';
import type { RunContext } from '../context/run-context.ts';
import { adoptExisting } from '../match/adopt-existing.ts';
import { costOf } from '../plan/cost.ts';
import { judgePlan } from '../plan/guards.ts';
import { readAndStage } from '../plan/read-and-stage.ts';
import { checkTarget, endRun, takeOverRenamed } from './lead-run.ts';

/** The plan of a sync, as it is reported. */
export type PlanReport = Awaited<ReturnType<typeof planRun>>;
export type PlannedChange = PlanReport['changes'][number];

/** Plans one sync and reports the plan. Reads the CMS only if the sync adopts items, and never writes to it. Errors are in the report. */
export async function planRun(context: RunContext) {
  const { ledger, sync } = context;
  await takeOverRenamed(context);
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
  const count = (op: StagedChange['op']) => changes.filter((change) => change.op === op).length;
  return {
    ...(await ledger.runs.report(run)),
    problems,
    creates: count('create'),
    updates: count('update'),
    /** Missing records that would be deleted. */
    deletes: count('delete'),
    /** Missing records that would be marked. */
    marks: count('mark'),
    changes: changes.map(({ attachments, delivered, ...shown }) => ({
      ...shown,
      differences: differencesOf({ ...shown, attachments, delivered }),
    })),
    cost: costOf(changes, sync),
  };
}
