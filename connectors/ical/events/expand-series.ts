import { CodedError } from '../../../src/core/errors.ts';
import { type DateOrTime, type Duration, wallTimeIn } from '../time/date-time.ts';
import { DAY, isInCalendar, toBasicFormat, type WallTime } from '../time/wall-time.ts';
import { type OccurrenceWindow, overlaps } from '../time/window.ts';
import { toInstant } from '../time/zone.ts';
import type { CalendarEvent } from './event.ts';
import { Overrides } from './overrides.ts';
import { continuesAfter, recurrenceSet } from './recurrence-set.ts';

/** One date of an event, with all that replaces what its series says. */
export interface Occurrence {
  event: CalendarEvent;
  start: DateOrTime;
  length: Duration;
  /** RECURRENCE-ID in one form for all: the day, else the time in UTC, of a floating series as it is written. */
  recurrenceId: string;
}

/** What expanding a series left out. */
export interface Truncation {
  byWindow: boolean;
  byCap: boolean;
  /** Why the rule could not be followed to its end. */
  problem?: string;
}

export function isSeries({ recurrence }: CalendarEvent): boolean {
  return recurrence.rules.length > 0 || recurrence.dates.length > 0;
}

/**
 * The occurrences of a series that the site shows in the window, at most `cap` of them; each once, though two wall times may
 * be one instant. Cancelled ones are left out.
 */
export function expandSeries(
  series: CalendarEvent,
  changes: readonly CalendarEvent[],
  window: OccurrenceWindow,
  cap: number,
): { occurrences: Occurrence[]; cut: Truncation } {
  const overrides = new Overrides(series, changes);
  const range = rangeOf(series, window);
  const margin = marginOf(series, changes, overrides.furthest);
  const found = new Map<string, Occurrence>();
  const cut: Truncation = { byWindow: series.start.wall < range.from - DAY, byCap: false };
  const add = (recurrenceId: string, { event, start, length }: Omit<Occurrence, 'recurrenceId'>) => {
    if (event.cancelled || found.has(recurrenceId) || !isInCalendar(start.wall + length.days * DAY + length.ms)) return;
    if (!overlaps(start, length, window, range.from, range.to)) return;
    if (found.size >= cap) cut.byCap = true;
    else found.set(recurrenceId, { event, start, length, recurrenceId });
  };
  try {
    for (const { wall, length = series.length } of recurrenceSet(series, range.from - margin, range.to + margin)) {
      const replacement = overrides.at(wall);
      add(
        formatRecurrenceId(series.start, wall),
        replacement ?? { event: series, start: { ...series.start, wall }, length },
      );
      if (cut.byCap) break;
    }
    if (!cut.byCap) cut.byWindow ||= continuesAfter(series, range.to + margin);
  } catch (error) {
    // The library gives up on rules that take it too long.
    cut.problem = error instanceof Error ? error.message : String(error);
  }
  for (const event of overrides.unused())
    add(recurrenceIdOf(series.start, event), { event, start: event.start, length: event.length });
  return { occurrences: [...found.values()], cut };
}

/** The days to look at; those of the horizon where a rule has no end and the window is open. */
function rangeOf(
  { recurrence }: CalendarEvent,
  { from, to, horizon }: OccurrenceWindow,
): { from: WallTime; to: WallTime } {
  if (!recurrence.rules.some(({ endless }) => endless)) return { from, to };
  return {
    from: Number.isFinite(from) ? from : Math.min(horizon.from, to),
    to: Number.isFinite(to) ? to : Math.max(horizon.to, from),
  };
}

/** How far outside an instance may start and still show: zones are a day apart at most, lengths and moves come on top. */
function marginOf(series: CalendarEvent, changes: readonly CalendarEvent[], furthest: number): number {
  const lengths = [series, ...changes].map(({ length }) => length);
  const extra = series.recurrence.dates.flatMap(({ length }) => (length ? [length] : []));
  return 2 * DAY + furthest + Math.max(...[...lengths, ...extra].map(({ days, ms }) => days * DAY + ms));
}

/** The identity of the instance of a series at a wall time. */
export function formatRecurrenceId(start: DateOrTime, wall: WallTime): string {
  if (start.is === 'date') return toBasicFormat(wall).slice(0, 8);
  return start.floating ? toBasicFormat(wall) : `${toBasicFormat(toInstant(wall, start.zone))}Z`;
}

/** The identity of the instance that an event takes the place of, in the terms of its series where that is known. */
export function recurrenceIdOf(start: DateOrTime | undefined, { recurrenceId, at }: CalendarEvent): string {
  if (recurrenceId === undefined) throw new CodedError('FF_BUG', `${at} has no RECURRENCE-ID`);
  if (start === undefined) return formatRecurrenceId(recurrenceId, recurrenceId.wall);
  return recurrenceId.is === 'date' && start.is === 'time'
    ? toBasicFormat(recurrenceId.wall).slice(0, 8)
    : formatRecurrenceId(start, wallTimeIn(start, recurrenceId));
}
