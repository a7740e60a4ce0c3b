import { Cron } from 'croner';
import type { AlertKind, StaleAfter } from '../config/types.ts';
import type { Schedule } from '../core/schedule.ts';
import type { Standing } from '../ledger/runs/sync-health.ts';

/** What is looked for in the standing of a sync. */
export interface Watched {
  on: readonly AlertKind[];
  staleAfter: StaleAfter;
  schedule?: Schedule;
}

/** What is wrong with a sync, of what is to be told: kind → the run that gives cause. */
export function causesIn(standing: Standing, { on, staleAfter, schedule }: Watched): Map<AlertKind, string> {
  const causes = new Map<AlertKind, string>();
  const { latest, good, now } = standing;
  // A run is told of once, as the gravest that it is.
  const [kind] = latest ? kindsOf(latest).filter((candidate) => on.includes(candidate)) : [];
  if (latest && kind) causes.set(kind, latest.run);
  const due = staleAt(good?.finishedAt ?? standing.firstAt, staleAfter, schedule);
  if (on.includes('stale') && due !== undefined && now >= due) causes.set('stale', good?.run ?? '');
  return causes;
}

/** What a run is, the gravest first. A feed that could not be read is not empty. */
function kindsOf({ status, read }: NonNullable<Standing['latest']>): AlertKind[] {
  if (status === 'failed') return ['failed'];
  const empty: AlertKind[] = read === 0 ? ['empty'] : [];
  if (status === 'held') return ['held', ...empty];
  return status === 'partial' ? [...empty, 'partial'] : empty;
}

/**
 * When a sync counts as stale, ms since 1970; undefined: never. Intervals of a cron expression are counted by its ticks, so
 * that nights and weekends without any are none.
 * @param since its last good run, else its first one
 */
function staleAt(
  since: number | undefined,
  staleAfter: StaleAfter,
  schedule: Schedule | undefined,
): number | undefined {
  if (since === undefined) return undefined;
  if ('ageMs' in staleAfter) return since + staleAfter.ageMs;
  if (!schedule) return undefined;
  if ('everyMs' in schedule) return since + staleAfter.intervals * schedule.everyMs;
  const cron = new Cron(schedule.cron, { timezone: schedule.timezone, paused: true });
  return cron
    .nextRuns(staleAfter.intervals, new Date(since))
    .at(staleAfter.intervals - 1)
    ?.getTime();
}
