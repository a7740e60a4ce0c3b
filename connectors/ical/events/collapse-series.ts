import { instantOf } from '../time/date-time.ts';
import { DAY } from '../time/wall-time.ts';
import { endOf } from '../time/window.ts';
import type { CalendarEvent } from './event.ts';
import type { Occurrence } from './expand-series.ts';

/** Makes one event of a series: on its first date, or from the first to the last. Undefined if it has no occurrences. */
export function collapseSeries(occurrences: readonly Occurrence[], how: 'first' | 'span'): CalendarEvent | undefined {
  const [first] = occurrences.toSorted((a, b) => startOf(a) - startOf(b));
  if (first === undefined) return undefined;
  const { event, start, duration } = first;
  if (how === 'first') return { ...event, start, duration };
  if (start.is === 'date') {
    const next = Math.max(...occurrences.map((each) => each.start.wall + Math.max(each.duration.days, 1) * DAY));
    return { ...event, start, duration: { days: Math.ceil((next - start.wall) / DAY), ms: 0 } };
  }
  const end = Math.max(...occurrences.map(endInstant));
  return { ...event, start, duration: { days: 0, ms: end - instantOf(start) } };
}

/** Dates are sorted as midnights in UTC. */
function startOf({ start }: Occurrence): number {
  return start.is === 'date' ? start.wall : instantOf(start);
}

function endInstant({ start, duration }: Occurrence): number {
  return start.is === 'date' ? start.wall + duration.days * DAY : endOf(start, duration);
}
