import type { Schedule } from '../../core/dates/schedule.ts';
import { lastCronTick, nextTick } from '../../core/dates/ticks.ts';

/** Age of the last run that read, or should have read, the feed of a sync: time since it began, in ms by the ledger's clock. */
type LastRun = { agoMs: number };

/**
 * Returns the time of a tick that was missed, so that the sync is due now; undefined if the sync is not due. One run makes up
 * for all missed ticks. A sync that has never run is due at once if it has an interval, else at its next tick.
 * @param now ms since 1970 by this machine's clock, like the result
 */
export function missedTick(schedule: Schedule, last: LastRun | undefined, now: number): number | undefined {
  if (!last) return 'everyMs' in schedule ? now : undefined;
  if ('everyMs' in schedule) return last.agoMs < schedule.everyMs ? undefined : now - (last.agoMs - schedule.everyMs);
  const tick = lastCronTick(schedule.cron, schedule.timezone, now);
  return tick === undefined || covers(last, tick, now) ? undefined : tick;
}

/** Returns when a sync runs next, in ms since 1970: a past time if the sync is due, undefined if it never runs. */
export function nextRun(schedule: Schedule, last: LastRun | undefined, now: number): number | undefined {
  return missedTick(schedule, last, now) ?? nextTick(schedule, now, now - (last?.agoMs ?? 0));
}

/**
 * Whether a run began at a tick or later. Compares two ages, each measured by one clock, because the clocks may differ.
 * @param tick, now ms since 1970 by this machine's clock
 */
export function covers({ agoMs }: LastRun, tick: number, now: number): boolean {
  // A negative age means that the clock was set back and the age is unknown.
  return agoMs >= 0 && agoMs <= Math.max(0, now - tick);
}
