import { type DateOrTime, instantOf } from '../time/date-time.ts';
import { DAY, type WallTime } from '../time/wall-time.ts';
import { endOf } from '../time/window.ts';
import type { CalendarEvent } from './event.ts';
import type { Occurrence } from './expand-series.ts';

/** A series as one event: on its first date, or from the first to the last. Undefined where it has none. */
export function collapseSeries(occurrences: readonly Occurrence[], how: 'first' | 'span'): CalendarEvent | undefined {
  const [first] = occurrences.toSorted((a, b) => startOf(a.start) - startOf(b.start));
  if (first === undefined) return undefined;
  const { event, start, length } = first;
  if (how === 'first') return { ...event, start, length };
  if (start.is === 'date') {
    const next = Math.max(...occurrences.map((each) => each.start.wall + Math.max(each.length.days, 1) * DAY));
    return { ...event, start, length: { days: Math.ceil((next - start.wall) / DAY), ms: 0 } };
  }
  const end = Math.max(...occurrences.map(endInstant));
  return { ...event, start, length: { days: 0, ms: end - instantOf(start) } };
}

/** Good enough to order by: days count as midnights in UTC. */
function startOf(when: DateOrTime): number {
  return when.is === 'date' ? when.wall : instantOf(when);
}

function endInstant({ start, length }: Occurrence): WallTime {
  return start.is === 'date' ? start.wall + length.days * DAY : endOf(start, length);
}
