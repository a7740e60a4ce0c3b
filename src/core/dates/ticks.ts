import { Cron } from 'croner';
import type { Schedule } from '../schedule.ts';

/**
 * The first tick of a schedule after a time; undefined: there is none. Ticks of an interval are counted from a beginning.
 * @param after, beginning ms since 1970, as the answer is
 */
export function nextTick(schedule: Schedule, after: number, beginning: number): number | undefined {
  if ('cron' in schedule) return nextCronTick(schedule.cron, schedule.timezone, after);
  const passed = Math.max(0, Math.floor((after - beginning) / schedule.everyMs));
  return beginning + (passed + 1) * schedule.everyMs;
}

/** One reading of cron for all queues, also in the hours that daylight saving skips or repeats. */
export function nextCronTick(cron: string, timezone: string | undefined, after: number): number | undefined {
  return new Cron(cron, { timezone, paused: true }).nextRun(new Date(after))?.getTime();
}

/** The newest time up to `until` that a cron expression names; undefined: there is none. */
export function lastCronTick(cron: string, timezone: string, until: number): number | undefined {
  // croner looks for what is before the time that it is given.
  const [last] = new Cron(cron, { timezone, paused: true }).previousRuns(1, new Date(until + 1));
  return last?.getTime();
}
