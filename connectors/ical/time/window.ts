import type { ReadContext } from '../../../src/core/connector.ts';
import { DAY, midnightOf, type WallTime } from '../../../src/core/dates/wall-time.ts';
import { namedZone, toWallTime, type Zone } from '../../../src/core/dates/zone.ts';
import { endOf, instantOf, type TimeSpan } from './date-time.ts';

export type OccurrenceWindow = ReturnType<typeof windowOf>;

/** Returns the first and last midnights of the published days in the site's zone; an open end of the window is infinite. */
export function windowOf({ window, siteTimezone }: Pick<ReadContext, 'window' | 'siteTimezone'>) {
  const site = namedZone(siteTimezone);
  const today = midnightOf(toWallTime(Date.now(), site));
  const midnight = (day: string | undefined) => (day === undefined ? undefined : Date.parse(`${day}T00:00:00Z`));
  return {
    site,
    from: midnight(window?.from) ?? Number.NEGATIVE_INFINITY,
    to: midnight(window?.to) ?? Number.POSITIVE_INFINITY,
    /** Replaces an open end of the window if a rule has no end: from a year ago to two years ahead. */
    horizon: { from: today - 366 * DAY, to: today + 731 * DAY },
  };
}

/** The first and the last day on which the site shows an event, as midnights. An end at midnight belongs to the day before. */
export function daysOf(span: TimeSpan, site: Zone): [first: WallTime, last: WallTime] {
  const { start, duration } = span;
  if (start.is === 'date') return [start.wall, start.wall + Math.max(duration.days - 1, 0) * DAY];
  const first = midnightOf(toWallTime(instantOf(start), site));
  const end = toWallTime(endOf(span), site);
  return [first, end % DAY === 0 && end > first ? end - DAY : midnightOf(end)];
}
