import { DAY, toIso, toIsoDay, type WallTime } from '../../../src/core/dates/wall-time.ts';
import { toInstant, type Zone } from '../../../src/core/dates/zone.ts';
import { CodedError, messageOf } from '../../../src/core/errors.ts';
import { isInCalendar, toBasicFormat } from '../time/basic-format.ts';
import { type DateOrTime, endOf, instantOf, lengthOf, wallTimeIn } from '../time/date-time.ts';
import { daysOf, type OccurrenceWindow } from '../time/window.ts';
import type { CalendarEvent } from './event.ts';
import { createOverrides } from './overrides.ts';
import { continuesAfter, endsBeforeItBegins, exceptDateTest, recurrenceSet } from './recurrence-set.ts';

/** Reasons why the expansion of a series left out occurrences. */
export interface Truncation {
  byWindow: boolean;
  byCap: boolean;
  /** Whether UNTIL leaves no date of any rule. */
  endsBeforeStart?: boolean;
  /** Why the rules could not be expanded to their end. */
  problem?: string;
}

/** An occurrence, possibly changed, and when its series has it. */
interface SeriesOccurrence {
  event: CalendarEvent;
  wall: WallTime;
}

export function isSeries({ recurrence }: CalendarEvent): boolean {
  return recurrence.rules.length > 0 || recurrence.dates.length > 0;
}

/**
 * Returns the occurrences of a series that the site shows in the window, at most `cap`. An instant occurs only once, even if two
 * wall times are the same instant. Cancelled occurrences are returned apart. The keys are RECURRENCE-IDs in a uniform format: the day,
 * or the time in UTC; in a floating series, the time as written.
 */
export function expandSeries(
  series: CalendarEvent,
  changes: readonly CalendarEvent[],
  window: OccurrenceWindow,
  cap: number,
): {
  occurrences: Map<string, SeriesOccurrence>;
  cancelled: Map<string, SeriesOccurrence>;
  truncation: Truncation;
} {
  const overrides = createOverrides(series, changes);
  const { from, to } = rangeOf(series, window);
  const margin = marginOf(series, changes, overrides.farthestMove);
  const isExceptDate = exceptDateTest(series, series.recurrence.exceptDates);
  const occurrences = new Map<string, SeriesOccurrence>();
  const cancelled = new Map<string, SeriesOccurrence>();
  const truncation: Truncation = { byWindow: series.start.wall < from - DAY, byCap: false };
  try {
    for (const { wall, duration = series.duration } of recurrenceSet(series, from - margin, to + margin)) {
      const unchanged = { ...series, start: { ...series.start, wall }, duration };
      add(wall, formatRecurrenceId(series.start, wall), overrides.replacementAt(wall) ?? unchanged);
      if (truncation.byCap) break;
    }
    if (!truncation.byCap) truncation.byWindow ||= continuesAfter(series, to + margin);
    truncation.endsBeforeStart = occurrences.size === 0 && endsBeforeItBegins(series);
  } catch (error) {
    // Rules with too many dates, or that take the library too long, throw.
    truncation.problem = messageOf(error);
  }
  for (const event of overrides.unused) {
    const { recurrenceId } = event;
    if (recurrenceId === undefined || (isExcepted(event) && !event.cancelled)) continue;
    add(wallTimeIn(series.start, recurrenceId), recurrenceIdOf(series.start, event), event);
  }
  return { occurrences, cancelled, truncation };

  /** Whether an exception deletes a changed instance. Only a later revision does: some programs write both in one revision. */
  function isExcepted({ recurrenceId, sequence }: CalendarEvent): boolean {
    return (
      recurrenceId !== undefined && sequence < series.sequence && isExceptDate(wallTimeIn(series.start, recurrenceId))
    );
  }

  function add(wall: WallTime, recurrenceId: string, event: CalendarEvent): void {
    if (occurrences.has(recurrenceId)) return;
    if (event.cancelled) {
      if (!event.isUnread) cancelled.set(recurrenceId, { event, wall });
      return;
    }
    if (!isInCalendar(event.start.wall + Math.max(lengthOf(event.duration) - 1000, 0))) return;
    const [first, last] = daysOf(event, window.site);
    if (first > to || last < from) return;
    if (occurrences.size >= cap) truncation.byCap = true;
    else occurrences.set(recurrenceId, { event, wall });
  }
}

/** Returns one event for a series: on its first date, or from its first to its last date. Undefined without occurrences. */
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

/** Returns the range to expand. If the window is open and a rule has no end, the horizon replaces the open end. */
function rangeOf({ recurrence }: CalendarEvent, { from, to, horizon }: OccurrenceWindow): OccurrenceWindow['horizon'] {
  if (!recurrence.rules.some(({ endless }) => endless)) return { from, to };
  return {
    from: Number.isFinite(from) ? from : Math.min(horizon.from, to),
    to: Number.isFinite(to) ? to : Math.max(horizon.to, from),
  };
}

/** Returns how far outside the range an instance may start and still be shown: zone offsets, durations and moves add up. */
function marginOf(series: CalendarEvent, changes: readonly CalendarEvent[], farthestMove: number): number {
  const durations = [series, ...changes, ...series.recurrence.dates].flatMap(({ duration }) => duration ?? []);
  return 2 * DAY + farthestMove + Math.max(...durations.map(lengthOf));
}

/** Returns when a series that begins with `start` has an occurrence, as its calendar shows it. */
export function formatSlot(start: DateOrTime, wall: WallTime): string {
  return start.is === 'date' ? toIsoDay(wall) : toIso(wall);
}

/** Returns the id of the instance of a series at a wall time. */
export function formatRecurrenceId(start: DateOrTime, wall: WallTime): string {
  if (start.is === 'date') return toBasicFormat(wall).slice(0, 8);
  return start.floating ? toBasicFormat(wall) : `${toBasicFormat(toInstant(wall, start.zone))}Z`;
}

/** Returns the id of the instance that an event overrides, in the format of its series if the series is known. */
export function recurrenceIdOf(start: DateOrTime | undefined, { recurrenceId, at }: CalendarEvent): string {
  if (recurrenceId === undefined) throw new CodedError('FF_BUG', `${at} has no RECURRENCE-ID`);
  if (start === undefined) return formatRecurrenceId(recurrenceId, recurrenceId.wall);
  return recurrenceId.is === 'date' && start.is === 'time'
    ? toBasicFormat(recurrenceId.wall).slice(0, 8)
    : formatRecurrenceId(start, wallTimeIn(start, recurrenceId));
}
