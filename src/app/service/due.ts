import type { Schedule } from '../../core/dates/schedule.ts';
import { lastCronTick, nextTick } from '../../core/dates/ticks.ts';

/** How long ago the last run of a sync began that read its feed, or was to, in ms by the ledger's clock. */
type LastRun = { agoMs: number };

/**
 * Returns the time of a tick that no run has covered, so that the sync is due now; undefined: it is not due. One run makes
 * up for all ticks that were missed. A sync that has never run is due at once if it has an interval, else at its next tick.
 * @param now ms since 1970 by this machine's clock, as the result is
 */
export function missedTick(schedule: Schedule, last: LastRun | undefined, now: number): number | undefined {
  if (!last) return 'everyMs' in schedule ? now : undefined;
  if ('everyMs' in schedule) return last.agoMs < schedule.everyMs ? undefined : now - (last.agoMs - schedule.everyMs);
  const tick = lastCronTick(schedule.cron, schedule.timezone, now);
  return tick === undefined || covers(last, tick, now) ? undefined : tick;
}

/** Returns when a sync runs next, in ms since 1970: in the past if it is due; undefined: never. */
export function nextRun(schedule: Schedule, last: LastRun | undefined, now: number): number | undefined {
  return missedTick(schedule, last, now) ?? nextTick(schedule, now, now - (last?.agoMs ?? 0));
}

/**
 * Whether a run covers a tick: it began at the tick or later. Compares ages, each by one clock, because the clocks may differ.
 * @param tick, now ms since 1970 by this machine's clock
 */
export function covers({ agoMs }: LastRun, tick: number, now: number): boolean {
  // Negative after the clock has gone back: then the age is unknown.
  return agoMs >= 0 && agoMs <= Math.max(0, now - tick);
}
