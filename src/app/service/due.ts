import { lastCronTick } from '../../core/dates/ticks.ts';
import type { Schedule } from '../../core/schedule.ts';

/** The last run of a sync that read its feed, or was to. */
export interface LastRun {
  /** Since it began, in ms by the ledger's clock. */
  agoMs: number;
}

/**
 * When a tick came that no run has covered, so that the sync is due now; undefined: it is not. However many ticks passed,
 * one run makes up for them. A sync with an interval that has never run is due at once, one with cron at its next tick.
 * @param now ms since 1970 by this machine's clock, as the answer is
 */
export function missedTick(schedule: Schedule, last: LastRun | undefined, now: number): number | undefined {
  if (!last) return 'everyMs' in schedule ? now : undefined;
  if ('everyMs' in schedule) return last.agoMs < schedule.everyMs ? undefined : now - (last.agoMs - schedule.everyMs);
  const tick = lastCronTick(schedule.cron, schedule.timezone, now);
  return tick === undefined || covers(last, tick, now) ? undefined : tick;
}

/**
 * Whether a run covers a tick: it began then, or later. Ages are compared, each by one clock, so that clocks may differ.
 * @param tick, now ms since 1970 by this machine's clock
 */
export function covers({ agoMs }: LastRun, tick: number, now: number): boolean {
  return agoMs <= Math.max(0, now - tick);
}
