import type { Schedule } from '../../core/dates/schedule.ts';

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

const DAYS: Readonly<Record<string, string>> = { '*': 'every day', '1-5': 'Monday to Friday' };
const SIMPLE_CRON = /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5)$/;

/** Describes when a sync runs: "every 15 minutes", "every day at 06:30", or the cron expression of a rarer schedule. */
export function describeSchedule(schedule: Schedule, siteTimezone: string): string {
  if ('everyMs' in schedule) return describeInterval(schedule.everyMs);
  const { cron, timezone } = schedule;
  const zone = timezone === siteTimezone ? '' : ` (${timezone})`;
  const [, minute = '', hour = '', days = ''] = SIMPLE_CRON.exec(cron.trim().replaceAll(/\s+/g, ' ')) ?? [];
  if (days === '') return `cron ${cron}${zone}`;
  return `${DAYS[days]} at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}${zone}`;
}

function describeInterval(ms: number): string {
  const [unit, length] = UNITS.find((candidate) => ms % candidate[1] === 0) ?? (['millisecond', 1] as const);
  const times = ms / length;
  return times === 1 ? `every ${unit}` : `every ${times} ${unit}s`;
}
