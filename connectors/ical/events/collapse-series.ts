import { endOf, instantOf } from '../time/date-time.ts';
import { DAY } from '../time/wall-time.ts';
import { daysOf } from '../time/window.ts';
import type { Zone } from '../time/zone.ts';
import type { CalendarEvent } from './event.ts';

/** Makes one event of a series: on its first date, or from the first to the last. Undefined if it has no occurrences. */
export function collapseSeries(
  occurrences: readonly CalendarEvent[],
  how: 'first' | 'span',
  site: Zone,
): CalendarEvent | undefined {
  const [first] = occurrences.toSorted((a, b) => instantOf(a.start) - instantOf(b.start));
  if (first === undefined || how === 'first') return first;
  const { start } = first;
  if (start.is === 'time') {
    return { ...first, duration: { days: 0, ms: Math.max(...occurrences.map(endOf)) - instantOf(start) } };
  }
  const lastDay = Math.max(...occurrences.map((event) => daysOf(event, site)[1]));
  return { ...first, duration: { days: (lastDay - start.wall) / DAY + 1, ms: 0 } };
}
