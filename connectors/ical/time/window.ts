import type { ReadContext } from '../../../src/core/connector.ts';
import type { DateOrTime, Duration } from './date-time.ts';
import { instantOf } from './date-time.ts';
import { DAY, midnightOf, type WallTime } from './wall-time.ts';
import { namedZone, toInstant, toWallTime, type Zone } from './zone.ts';

/** The days that are of interest, in the site's zone, and what stands in for them where rules have no end. */
export interface OccurrenceWindow {
  site: Zone;
  /** Midnights, inclusive; infinite where the window is open. */
  from: WallTime;
  to: WallTime;
  /** For rules without an end where the window is open. */
  horizon: { from: WallTime; to: WallTime };
}

/** Without a window, rules without an end reach from a year back to two years ahead. */
const horizonDays = { back: 366, ahead: 731 };

/** @param now ms since 1970 */
export function windowOf(
  { window, siteTimezone }: Pick<ReadContext, 'window' | 'siteTimezone'>,
  now: number,
): OccurrenceWindow {
  const site = namedZone(siteTimezone);
  const today = midnightOf(toWallTime(now, site));
  const midnight = (day: string | undefined) => (day === undefined ? undefined : Date.parse(`${day}T00:00:00Z`));
  return {
    site,
    from: midnight(window?.from) ?? Number.NEGATIVE_INFINITY,
    to: midnight(window?.to) ?? Number.POSITIVE_INFINITY,
    horizon: { from: today - horizonDays.back * DAY, to: today + horizonDays.ahead * DAY },
  };
}

/** Whether any day of it, as the site shows it, is between two midnights. */
export function overlaps(
  start: DateOrTime,
  length: Duration,
  { site }: OccurrenceWindow,
  from: WallTime,
  to: WallTime,
): boolean {
  const [first, last] = daysOf(start, length, site);
  return first <= to && last >= from;
}

/** The first and the last day on which a site shows it, as midnights. An end at midnight belongs to the day before. */
export function daysOf(start: DateOrTime, length: Duration, site: Zone): [first: WallTime, last: WallTime] {
  if (start.is === 'date') return [start.wall, start.wall + Math.max(length.days - 1, 0) * DAY];
  const first = midnightOf(toWallTime(instantOf(start), site));
  const end = toWallTime(endOf(start, length), site);
  return [first, end % DAY === 0 && end > first ? end - DAY : midnightOf(end)];
}

/** The instant (ms since 1970) at which a timed event ends: days by the calendar of its zone, the rest by the clock. */
export function endOf(start: Extract<DateOrTime, { is: 'time' }>, { days, ms }: Duration): number {
  return days === 0 ? instantOf(start) + ms : toInstant(start.wall + days * DAY, start.zone) + ms;
}
