import { Cron } from 'croner';
import type { Schedule } from './schedule.ts';

/**
 * Returns the first tick of a schedule after a time; undefined: none follows. Ticks of an interval count from `beginning`. All
 * times are ms since 1970.
 */
export function nextTick(schedule: Schedule, after: number, beginning: number): number | undefined {
  if ('cron' in schedule) {
    const { cron, timezone } = schedule;
    return new Cron(cron, { timezone, paused: true }).nextRun(new Date(after))?.getTime();
  }
  const passed = Math.max(0, Math.floor((after - beginning) / schedule.everyMs));
  return beginning + (passed + 1) * schedule.everyMs;
}

/** Returns the last time of a cron expression up to `until`; undefined: none came before. */
export function lastCronTick(cron: string, timezone: string, until: number): number | undefined {
  // croner returns only times before the given one.
  const [last] = new Cron(cron, { timezone, paused: true }).previousRuns(1, new Date(until + 1));
  return last?.getTime();
}
