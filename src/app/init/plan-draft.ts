import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config, SyncConfig } from '../../config/types.ts';
import { type PlannedChange, type PlanReport, planRun } from '../../sync/runs/plan-run.ts';
import { openApp } from '../app.ts';
import type { Environment } from '../environment.ts';

/** What the first run of a sync would do, and its first changes. */
export interface DraftPlan {
  report: PlanReport;
  first: readonly PlannedChange[];
}

const FIRST = 20;

/**
 * Plans a sync that has no file yet against the site. Uses a ledger of its own, which is removed afterwards, so that nothing remains
 * of the plan. Nothing is written to the site.
 */
export async function planDraft(
  sync: SyncConfig,
  { config, environment, log, signal }: { config: Config; environment: Environment; log: Logger; signal: AbortSignal },
): Promise<DraftPlan> {
  const dataDir = mkdtempSync(join(tmpdir(), 'feedferry-plan-'));
  const own = { ...environment, dataDir, formerDataDir: undefined, databaseUrl: undefined, redisUrl: undefined };
  try {
    const app = await openApp({ ...config, syncs: [sync] }, own, log, { signal });
    try {
      const first: PlannedChange[] = [];
      const report = await planRun(app.contextOf(sync, { signal }), (changes) => {
        first.push(...changes.slice(0, FIRST - first.length));
      });
      return { report, first };
    } finally {
      await app.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
