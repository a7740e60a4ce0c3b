import { midnightOf, type WallTime } from '../../../src/core/dates/wall-time.ts';
import { toInstant, toWallTime } from '../../../src/core/dates/zone.ts';
import { type DateOrTime, shownWallTime, wallTimeIn } from '../time/date-time.ts';
import type { CalendarEvent } from './event.ts';

/** Creates the look-up of a series' overrides by the overridden instance (RECURRENCE-ID; RFC 5545, 3.8.4.4). */
export function createOverrides(series: CalendarEvent, overrides: readonly CalendarEvent[]) {
  const byWallTime = new Map<WallTime, CalendarEvent>();
  /** Overrides whose RECURRENCE-ID is only a day, though the series has times. */
  const byDay = new Map<WallTime, CalendarEvent>();
  /** Overrides with RANGE=THISANDFUTURE, the latest first. */
  const lasting: Array<{ from: WallTime; event: CalendarEvent }> = [];
  /** Overrides that have not replaced an instance yet. Their instances are outside the range, or not in the series. */
  const unused = new Set(overrides);
  for (const event of overrides) {
    if (event.recurrenceId === undefined) continue;
    const isDay = event.recurrenceId.is === 'date' && series.start.is === 'time';
    const written = wallTimeIn(series.start, event.recurrenceId);
    const wall = isDay ? written : shownWallTime(series.start, written);
    (isDay ? byDay : byWallTime).set(wall, event);
    if (event.thisAndFuture) lasting.push({ from: instanceAt(series.start, wall), event });
  }
  lasting.sort((a, b) => b.from - a.from);
  /** Longest distance by which a lasting override moves instances, in ms. */
  const farthestMove = Math.max(0, ...lasting.map(({ event, from }) => Math.abs(event.start.wall - from)));
  return { unused, farthestMove, replacementAt };

  /** Returns the event that replaces the instance at a wall time, if there is one. */
  function replacementAt(wall: WallTime): CalendarEvent | undefined {
    if (overrides.length === 0) return undefined;
    const shown = shownWallTime(series.start, wall);
    const event = byWallTime.get(shown) ?? byDay.get(midnightOf(wall));
    if (event) unused.delete(event);
    const change = event ? undefined : lasting.find(({ from }) => from <= wall);
    return change ? move(wall, change) : event;
  }

  /** Moves an instance by the distance between the override and its own instance, on the clock of the override. */
  function move(wall: WallTime, { from, event }: { from: WallTime; event: CalendarEvent }): CalendarEvent {
    const { start } = event;
    const shift = start.wall - onClockOf(start, from);
    return { ...event, start: { ...start, wall: onClockOf(start, wall) + shift } };
  }

  function onClockOf(other: DateOrTime, wall: WallTime): WallTime {
    const { start } = series;
    if (other.is === 'date') return midnightOf(wall);
    if (start.is === 'date' || start.zone === other.zone) return wall;
    return toWallTime(toInstant(wall, start.zone), other.zone);
  }
}

/** Returns the wall time of the instance that clocks show at a wall time: in the gap of spring, instances have another wall time. */
function instanceAt(start: DateOrTime, shown: WallTime): WallTime {
  const wall = midnightOf(shown) + (start.wall - midnightOf(start.wall));
  return shownWallTime(start, wall) === shown ? wall : shown;
}
