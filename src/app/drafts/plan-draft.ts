import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config, SyncConfig } from '../../config/types.ts';
import { readSource } from '../../source/read-source.ts';
import { hideSecrets } from '../../source/sample/hide-secrets.ts';
import { type PlannedChange, type PlanReport, planRun } from '../../sync/runs/plan-run.ts';
import { openApp } from '../app.ts';
import type { Environment } from '../environment.ts';

/** What the first run of a sync would do, and its first changes. */
export interface DraftPlan {
  report: PlanReport;
  first: readonly PlannedChange[];
}

/** What a plan of a draft needs. */
interface Planning {
  config: Config;
  environment: Environment;
  log: Logger;
  signal: AbortSignal;
  /** Hidden wherever the feed repeats them, before rules could take them apart. */
  secrets: readonly string[];
}

const FIRST = 20;

/**
 * Plans a sync that has no file yet against the site. Uses a ledger of its own, which is removed afterwards, so that nothing remains
 * of the plan. Nothing is written to the site.
 */
export async function planDraft(
  sync: SyncConfig,
  { config, environment, log, signal, secrets }: Planning,
): Promise<DraftPlan> {
  const dataDir = mkdtempSync(join(tmpdir(), 'feedferry-plan-'));
  const own = { ...environment, dataDir, databaseUrl: undefined, redisUrl: undefined };
  try {
    const app = await openApp({ ...config, syncs: [sync] }, own, log, { signal });
    try {
      const usual = app.contextOf(sync, { signal });
      const read = () => readSource(sync, config.target, { signal, secrets });
      return await planSync(secrets.length > 0 ? { ...usual, readSource: read } : usual, secrets);
    } finally {
      await app.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Plans a sync, and keeps the first changes of the plan. Secrets of its feed are hidden in the result. */
export async function planSync(context: Parameters<typeof planRun>[0], secrets: readonly string[]): Promise<DraftPlan> {
  const first: PlannedChange[] = [];
  const report = await planRun(context, (changes) => {
    first.push(...changes.slice(0, FIRST - first.length));
  });
  return hideSecrets({ report, first }, secrets);
}
