import { addDays, isIsoDate } from '../../core/dates/iso-date.ts';
import type { Payload } from '../../core/record.ts';

/** Consecutive days, as ISO dates. */
export interface Days {
  startDate: string;
  endDate: string;
}

/** A request for the days between two events costs less than a request for each, if there are no more of them. */
const GAP = 7;
/** The list of a longer event would show most of the calendar: another one that looks like it begins on the same day. */
const LONGEST = 31;

/** Collects the days of events, and groups them into few lists. */
export function createDayGroups() {
  const spans = new Map<string, Days>();
  return { add, groups };

  function add({ date, endDate }: Payload): void {
    if (typeof date !== 'string' || !isIsoDate(date)) return;
    const isSpan = typeof endDate === 'string' && isIsoDate(endDate) && endDate > date;
    const last = isSpan && endDate <= addDays(date, LONGEST) ? endDate : date;
    spans.set(`${date} ${last}`, { startDate: date, endDate: last });
  }

  /**
   * Returns the days in as few groups as pays, in order. Each group includes a day before and after, because a CMS may shift an
   * event by its own time zone.
   */
  function groups(): Days[] {
    const sorted = [...spans.values()].sort((one, other) => (one.startDate < other.startDate ? -1 : 1));
    const grouped: Days[] = [];
    for (const { startDate, endDate } of sorted) {
      const last = grouped.at(-1);
      if (!last || startDate > addDays(last.endDate, GAP)) grouped.push({ startDate, endDate });
      else if (endDate > last.endDate) last.endDate = endDate;
    }
    return grouped.map((days) => ({ startDate: addDays(days.startDate, -1), endDate: addDays(days.endDate, 1) }));
  }
}
