import { isObject } from '../../core/record.ts';
import { duration } from '../schema/scalars.ts';
import type { Issue } from './validate.ts';

/** Checks that the runs of a schedule can read the feed, and that an alert about stale data can end. */
export function checkSchedule({ source, schedule, alerts }: Record<string, unknown>, sync: string): Issue[] {
  if (schedule === undefined || schedule === null) return [];
  if (isObject(source) && source.url === '-') {
    const message = `cannot read standard input, which only a command has. Remove it and run \`feedferry sync ${sync} < FILE\`, or let source.url name a file or an address`;
    return [{ path: ['schedule'], part: 'key', message }];
  }
  const everyMs = durationOf(schedule, 'every');
  const staleMs = durationOf(alerts, 'staleAfter');
  if (everyMs === undefined || staleMs === undefined || staleMs >= everyMs) return [];
  const message = 'is shorter than schedule.every, so the alert would be sent after every run';
  return [{ path: ['alerts', 'staleAfter'], part: 'value', message }];
}

function durationOf(value: unknown, key: string): number | undefined {
  return isObject(value) ? duration.safeParse(value[key]).data : undefined;
}
