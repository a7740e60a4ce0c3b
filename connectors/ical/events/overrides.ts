import { type DateOrTime, wallTimeIn } from '../time/date-time.ts';
import { midnightOf, type WallTime } from '../time/wall-time.ts';
import { toInstant, toWallTime } from '../time/zone.ts';
import type { CalendarEvent } from './event.ts';

/** The overrides of a series, found by the instance that they override (RECURRENCE-ID; RFC 5545, 3.8.4.4). */
export class Overrides {
  readonly #series: CalendarEvent;
  readonly #byWallTime = new Map<WallTime, CalendarEvent>();
  /** Overrides whose RECURRENCE-ID is only a day, though the series has times. */
  readonly #byDay = new Map<WallTime, CalendarEvent>();
  /** RANGE=THISANDFUTURE, the latest first. */
  readonly #lasting: Array<{ from: WallTime; event: CalendarEvent }> = [];
  readonly #unused: Set<CalendarEvent>;

  constructor(series: CalendarEvent, overrides: readonly CalendarEvent[]) {
    this.#series = series;
    this.#unused = new Set(overrides);
    for (const event of overrides) {
      if (event.recurrenceId === undefined) continue;
      const wall = wallTimeIn(series.start, event.recurrenceId);
      const isDay = event.recurrenceId.is === 'date' && series.start.is === 'time';
      (isDay ? this.#byDay : this.#byWallTime).set(wall, event);
      if (event.thisAndFuture) this.#lasting.push({ from: wall, event });
    }
    this.#lasting.sort((a, b) => b.from - a.from);
  }

  /** The farthest that a lasting override moves instances, in ms. */
  get farthestMove(): number {
    return Math.max(0, ...this.#lasting.map(({ event, from }) => Math.abs(event.start.wall - from)));
  }

  /** Returns what replaces the instance at a wall time, if anything does. */
  replacementAt(wall: WallTime): CalendarEvent | undefined {
    const event = this.#byWallTime.get(wall) ?? this.#byDay.get(midnightOf(wall));
    if (event) this.#unused.delete(event);
    const lasting = event ? undefined : this.#lasting.find(({ from }) => from <= wall);
    return lasting ? this.#move(wall, lasting) : event;
  }

  /** The overrides that replaced nothing so far: of instances outside the range, or of none that is known. */
  unused(): CalendarEvent[] {
    return [...this.#unused];
  }

  /** Moves an instance as far as the override moves its own, on the clock of the override. */
  #move(wall: WallTime, { from, event }: { from: WallTime; event: CalendarEvent }): CalendarEvent {
    const { start } = event;
    const shift = start.wall - this.#onClockOf(start, from);
    return { ...event, start: { ...start, wall: this.#onClockOf(start, wall) + shift } };
  }

  #onClockOf(other: DateOrTime, wall: WallTime): WallTime {
    const { start } = this.#series;
    if (other.is === 'date') return midnightOf(wall);
    if (start.is === 'date' || start.zone === other.zone) return wall;
    return toWallTime(toInstant(wall, start.zone), other.zone);
  }
}
