import type { SyncConfig } from '../../config/types.ts';
import { readSource } from '../../source/read-source.ts';
import { hideSecrets } from '../../source/sample/hide-secrets.ts';
import { type PlannedChange, type PlanReport, planRun } from '../../sync/runs/plan-run.ts';
import type { App } from '../app.ts';

/** What a run of a sync would do, and its first changes. */
export interface DraftPlan {
  report: PlanReport;
  first: readonly PlannedChange[];
}

const FIRST = 20;

/**
 * Plans a sync that has no file yet against the site. Nothing is written to the site, and nothing remains of the plan.
 * @param secrets hidden wherever the feed repeats them, before rules could take them apart
 */
export async function planDraft(
  sync: SyncConfig,
  { config, contextOf, ledger }: Pick<App, 'config' | 'contextOf' | 'ledger'>,
  { signal, secrets }: { signal: AbortSignal; secrets: readonly string[] },
): Promise<DraftPlan> {
  const usual = contextOf(sync, { signal });
  const read = () => readSource(sync, config.target, { signal, secrets });
  const plan = await planSync(secrets.length > 0 ? { ...usual, readSource: read } : usual, secrets);
  await ledger.runs.forgetPlan(plan.report.run);
  return plan;
}

/** Plans a sync, and keeps the first changes of the plan. Secrets of its feed are hidden in the result. */
export async function planSync(context: Parameters<typeof planRun>[0], secrets: readonly string[]): Promise<DraftPlan> {
  const first: PlannedChange[] = [];
  const report = await planRun(context, (changes) => {
    first.push(...changes.slice(0, FIRST - first.length));
  });
  return hideSecrets({ report, first }, secrets);
}
