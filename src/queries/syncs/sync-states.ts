import { nextRun } from '../../app/actions/due.ts';
import { describeProblem } from '../../config/files/problems.ts';
import type { Config } from '../../config/types.ts';
import { siteTime } from '../../core/dates/site-time.ts';
import { brokeOff, ENDED_EARLY } from '../../core/run.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RecentRun } from '../../ledger/runs/run-list.ts';
import { pauseOf } from '../../sync/runs/pause-sync.ts';
import type { ConfiguredSync } from '../answers/configured-sync.ts';

/** Number of runs that are read per sync; fewer if there are many syncs. */
const RECENT_RUNS = 30;
const MOST_RUNS = 6_000;

export type SyncState = Awaited<ReturnType<typeof statesOf>>[number];

/** Reads the states of syncs, with a few queries for all syncs together. */
export async function statesOf(syncs: readonly ConfiguredSync[], { broken }: Pick<Config, 'broken'>, ledger: Ledger) {
  const names = syncs.map(({ name }) => name);
  const limit = Math.max(2, Math.min(RECENT_RUNS, Math.floor(MOST_RUNS / names.length)));
  const [runs, plans, drifts, pauses] = await Promise.all([
    ledger.runs.recent(names, limit),
    ledger.plans.heldPlans(),
    ledger.verifications.drifts(),
    ledger.pauses.pauses(),
  ]);
  const readings = names.map((sync) => ({ sync, reading: runs.get(sync)?.find(hasCounted)?.run }));
  const acknowledged = await ledger.acknowledgements.countAcknowledged(readings);
  return Promise.all(
    syncs.map(async (sync) => {
      const { name } = sync;
      const mistakes = broken.find((each) => each.name === name)?.problems ?? [];
      const recentRuns = runs.get(name) ?? [];
      return {
        sync: name,
        /** Mistakes in the file of the sync, which then cannot run. */
        mistakes: mistakes.map(describeProblem),
        /** The last runs that applied a feed, the newest first. */
        recentRuns,
        /** Whether the sync may have runs before `recentRuns`. */
        mayHaveMore: recentRuns.length === limit,
        nextRun: pauseOf(sync, pauses) ? null : await nextRunOf(sync, recentRuns, limit, ledger),
        /** Who paused the sync, when and why. */
        pause: pauseOf(sync, pauses) ?? null,
        /** Id of a held run whose plan waits for a decision. */
        waits: plans.find((plan) => plan.sync === name && !plan.decision)?.run ?? null,
        /** Differences that the last verification has found in the CMS. */
        drift: drifts.find((drift) => drift.sync === name),
        /** How many of the problems of the last run and of the last verification a person has acknowledged. */
        acknowledged: acknowledged.get(name) ?? { rejected: 0, withoutFile: 0, differs: 0 },
      };
    }),
  );
}

/** Whether a run has read its source and counted all records: one in progress has not yet. */
export function hasCounted({ finishedAt, hasRead }: { finishedAt?: string | undefined; hasRead: boolean }): boolean {
  return finishedAt !== undefined && hasRead;
}

/** Says since when all runs have failed, if several have; empty otherwise. Runs that a signal or a person ended do not count. */
export function describeFailing(recentRuns: readonly RecentRun[], timezone: string): string {
  const ended = recentRuns.filter(({ finishedAt, error }) => finishedAt && !ENDED_EARLY.includes(error?.code ?? ''));
  const good = ended.findIndex(({ status }) => status !== 'failed');
  const failing = good < 0 ? ended : ended.slice(0, good);
  const [first] = failing.slice(-1);
  return !first || failing.length < 2
    ? ''
    : `All ${failing.length} runs since ${siteTime(first.startedAt, timezone)} have failed.`;
}

/** Returns the ISO instant of the next run of a sync: in the past if the sync is due, null if it has no schedule. */
async function nextRunOf(
  { name, schedule }: ConfiguredSync,
  runs: readonly RecentRun[],
  limit: number,
  ledger: Ledger,
) {
  const next = schedule && nextRun(schedule, await lastBegun(name, runs, limit, ledger), Date.now());
  return next === undefined ? null : new Date(next).toISOString();
}

/** Returns the age of the last run that counts for the schedule. Asks the ledger only if no recent run counts. */
async function lastBegun(
  sync: string,
  runs: readonly RecentRun[],
  limit: number,
  ledger: Ledger,
): Promise<{ agoMs: number } | undefined> {
  const begun = runs.find(({ isApproval, agoMs, error }) => !isApproval && agoMs >= 0 && !brokeOff(error?.code));
  return begun ?? (runs.length < limit ? undefined : ledger.runs.lastBegun(sync));
}
