import { Cron } from 'croner';
import type { AlertKind, StaleAfter } from '../config/types.ts';
import type { Schedule } from '../core/dates/schedule.ts';
import type { SyncHealth } from '../ledger/runs/sync-health.ts';

/** What to check about the health of a sync. */
export interface Watched {
  on: readonly AlertKind[];
  staleAfter: StaleAfter;
  schedule?: Schedule;
  /** Whether the file of the sync has mistakes. */
  isBroken?: boolean;
}

/** Replaces the run if no run causes the problem. */
export const NO_RUN = '';

/** Returns the problems of a sync to report: kind → the run or verification that causes the problem. */
export function causesIn(health: SyncHealth, watched: Watched): Map<AlertKind, string> {
  const { on } = watched;
  const causes = new Map<AlertKind, string>();
  const { latest, good, now } = health;
  // A run is reported once, as its most serious kind.
  const [kind] = latest ? kindsOf(latest).filter((candidate) => on.includes(candidate)) : [];
  if (latest && kind) causes.set(kind, latest.run);
  if (watched.isBroken && on.includes('failed')) causes.set('failed', NO_RUN);
  if (on.includes('drift') && health.drift) causes.set('drift', health.drift.id);
  const due = staleAt(good?.finishedAt ?? health.firstAt, watched);
  if (on.includes('stale') && !health.isPaused && due !== undefined && now >= due)
    causes.set('stale', good?.run ?? NO_RUN);
  return causes;
}

/**
 * Returns the kinds of problem that a run has, the most serious first. A feed that could not be read is not empty. A held run whose
 * plan was decided is no problem, nor is a partial one whose problems a person has acknowledged.
 */
function kindsOf({ status, read, decision, isAcknowledged }: NonNullable<SyncHealth['latest']>): AlertKind[] {
  if (status === 'failed') return ['failed'];
  const empty: AlertKind[] = read === 0 ? ['empty'] : [];
  if (status === 'held') return decision ? [] : ['held', ...empty];
  return status === 'partial' && !isAcknowledged ? [...empty, 'partial'] : empty;
}

/**
 * Returns when a sync becomes stale, in ms since 1970; undefined: never. The intervals of a cron expression are its ticks, so
 * nights and weekends without ticks do not count.
 * @param since end of its last good run, else the start of its first one
 */
function staleAt(since: number | undefined, { staleAfter, schedule }: Watched): number | undefined {
  if (since === undefined) return undefined;
  if ('ageMs' in staleAfter) return since + staleAfter.ageMs;
  if (!schedule) return undefined;
  if ('everyMs' in schedule) return since + staleAfter.intervals * schedule.everyMs;
  const cron = new Cron(schedule.cron, { timezone: schedule.timezone, paused: true });
  return cron.nextRuns(staleAfter.intervals, new Date(since))[staleAfter.intervals - 1]?.getTime();
}
