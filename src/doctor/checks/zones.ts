import { Cron } from 'croner';
import type { Config } from '../../config/types.ts';
import type { Schedule } from '../../core/dates/schedule.ts';
import { siteTime } from '../../core/dates/site-time.ts';
import { type Finding, ok } from '../findings/finding.ts';

/** Reports the time in each zone and the next run of each schedule. The config has already checked that the zones exist. */
export async function* checkZones({ target, syncs }: Config): AsyncGenerator<Finding> {
  const now = Date.now();
  const { timezone } = target;
  yield ok('zones', `Time at the site: ${siteTime(now, timezone)} (${timezone}).`);
  const others = syncs.flatMap(({ source }) => (source.timezone ? [source.timezone] : []));
  for (const zone of new Set(others)) {
    if (zone !== timezone) yield ok('zones.sources', `Time in the zone of feeds: ${siteTime(now, zone)} (${zone}).`);
  }
  for (const { name, schedule } of syncs) {
    if (schedule) yield ok(`zones.${name}`, `${name} ${nextRun(schedule, timezone)}.`);
  }
}

function nextRun(schedule: Schedule, timezone: string): string {
  if (!('cron' in schedule)) return `runs every ${schedule.everyMs / 1000} s`;
  const next = new Cron(schedule.cron, { timezone: schedule.timezone, paused: true }).nextRun();
  return next ? `runs next at ${siteTime(next.getTime(), timezone)}` : 'has no further run';
}
