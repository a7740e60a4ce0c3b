import type { ReadContext } from '../../../src/core/connector.ts';
import { type DateOrTime, type Duration, instantOf } from './date-time.ts';
import { DAY, midnightOf, type WallTime } from './wall-time.ts';
import { namedZone, toInstant, toWallTime, type Zone } from './zone.ts';

/** The days that are published, in the site's zone. */
export interface OccurrenceWindow {
  site: Zone;
  /** Midnights, inclusive; infinite if the window is open at that end. */
  from: WallTime;
  to: WallTime;
  /** Replaces an open end for rules without an end. */
  horizon: { from: WallTime; to: WallTime };
}

/** Without a window, rules without an end are expanded from a year back to two years ahead. */
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

/** The first and the last day on which the site shows an event, as midnights. An end at midnight belongs to the day before. */
export function daysOf(start: DateOrTime, duration: Duration, site: Zone): [first: WallTime, last: WallTime] {
  if (start.is === 'date') return [start.wall, start.wall + Math.max(duration.days - 1, 0) * DAY];
  const first = midnightOf(toWallTime(instantOf(start), site));
  const end = toWallTime(endOf(start, duration), site);
  return [first, end % DAY === 0 && end > first ? end - DAY : midnightOf(end)];
}

/** The instant, as ms since 1970, at which a timed event ends: days by the calendar of its zone, the rest by the clock. */
export function endOf(start: Extract<DateOrTime, { is: 'time' }>, { days, ms }: Duration): number {
  return days === 0 ? instantOf(start) + ms : toInstant(start.wall + days * DAY, start.zone) + ms;
}
