import { Cron } from 'croner';
import { Temporal } from 'temporal-polyfill';
import type { Config } from '../../config/types.ts';
import type { Schedule } from '../../core/schedule.ts';
import type { Finding } from '../findings/finding.ts';

/** What the zones say now, and when the schedules come next. That the zones exist, the config has been checked for. */
export async function* checkZones({ target, syncs }: Config): AsyncGenerator<Finding> {
  const now = Temporal.Now.instant();
  yield { check: 'zones', is: 'ok', message: `In the site's zone it is ${wallTime(now, target.timezone)}.` };
  const others = syncs.flatMap(({ source }) => (source.timezone ? [source.timezone] : []));
  for (const zone of new Set(others)) {
    if (zone !== target.timezone) {
      yield { check: 'zones.sources', is: 'ok', message: `For feeds it is ${wallTime(now, zone)}.` };
    }
  }
  for (const { name, schedule } of syncs) {
    if (schedule) yield { check: `zones.${name}`, is: 'ok', message: `${name} ${nextTime(schedule)}.` };
  }
}

function nextTime(schedule: Schedule): string {
  if (!('cron' in schedule)) return `comes every ${schedule.everyMs / 1000} s`;
  const next = new Cron(schedule.cron, { timezone: schedule.timezone, paused: true }).nextRun();
  if (!next) return 'does not come any more';
  return `comes next at ${wallTime(Temporal.Instant.fromEpochMilliseconds(next.getTime()), schedule.timezone)}`;
}

function wallTime(instant: Temporal.Instant, zone: string): string {
  const { offset } = instant.toZonedDateTimeISO(zone);
  const local = instant.toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' });
  return `${local.replace('T', ' ')} (${zone}, UTC${offset})`;
}
