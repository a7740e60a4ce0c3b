import type { Window } from '../config/types.ts';
import { addDays, type DayRange, dateAt } from '../core/dates/iso-date.ts';
import { isObject, type Payload } from '../core/record.ts';

/** Returns the first and the last day of a window, inclusive, in the site's zone at `now` (ms since 1970). Absent: open. */
export function windowDays(window: Window | undefined, siteTimezone: string, now: number) {
  const { pastDays, futureDays, from, to } = window ?? {};
  const today = dateAt(now, siteTimezone);
  return {
    from: pastDays === undefined ? from : addDays(today, -pastDays),
    to: futureDays === undefined ? to : addDays(today, futureDays),
  };
}

/** Returns the days from the first to the last one of several ranges. */
export function spanOf(ranges: readonly DayRange[]): DayRange {
  const days = (ends: ReadonlyArray<string | undefined>) => ends.filter((end) => end !== undefined).sort();
  const [froms, tos] = [days(ranges.map(({ from }) => from)), days(ranges.map(({ to }) => to))];
  return {
    from: froms.length === ranges.length ? froms[0] : undefined,
    to: tos.length === ranges.length ? tos.at(-1) : undefined,
  };
}

/** Returns why an event is entirely outside the days; undefined if a part of the event is inside. */
export function outside({ from, to }: DayRange, { date, endDate }: Payload): string | undefined {
  if (from !== undefined && String(endDate) < from) return `ends on ${endDate}, before the window starts on ${from}`;
  if (to !== undefined && String(date) > to) return `starts on ${date}, after the window ends on ${to}`;
  return undefined;
}

/**
 * Returns whether an event is over at a time of the site's clock (YYYY-MM-DDTHH:MM:SS). Without a time, it ends with its last day;
 * with a start only, when it starts. If it ends before it starts, it ends on the next day.
 */
export function isOver(event: Payload, now: string): boolean {
  const end = endOf(event);
  return end !== undefined && end <= now;
}

function endOf({ date, endDate, time }: Payload): string | undefined {
  const last = endDate ?? date;
  if (typeof last !== 'string') return undefined;
  const [start, end] = isObject(time) ? [textOf(time.start), textOf(time.end)] : ['', ''];
  if (last !== date) return `${last}T${end || DAY_END}`;
  const clock = end || start || DAY_END;
  return `${clock < start ? addDays(last, 1) : last}T${clock}`;
}

const DAY_END = '23:59:59';

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
