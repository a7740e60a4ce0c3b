import { type DateOrTime, type Duration, wallTimeIn } from '../time/date-time.ts';
import { midnightOf, type WallTime } from '../time/wall-time.ts';
import { toInstant, toWallTime } from '../time/zone.ts';
import type { CalendarEvent } from './event.ts';

/** What takes the place of an instance. */
export interface Replacement {
  event: CalendarEvent;
  start: DateOrTime;
  length: Duration;
}

/** The changed instances of a series, found by the instance that they change (RECURRENCE-ID; RFC 5545, 3.8.4.4). */
export class Overrides {
  readonly #series: CalendarEvent;
  readonly #byWall = new Map<WallTime, CalendarEvent>();
  /** RECURRENCE-ID is only a day, though the series has times. */
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
      (isDay ? this.#byDay : this.#byWall).set(wall, event);
      if (event.andFuture) this.#lasting.push({ from: wall, event });
    }
    this.#lasting.sort((a, b) => b.from - a.from);
  }

  /** How far lasting changes move instances, in ms. */
  get furthest(): number {
    return Math.max(0, ...this.#lasting.map(({ event, from }) => Math.abs(event.start.wall - from)));
  }

  /** What takes the place of an instance; undefined where nothing does. */
  at(wall: WallTime): Replacement | undefined {
    const own = this.#byWall.get(wall) ?? this.#byDay.get(midnightOf(wall));
    if (own) {
      this.#unused.delete(own);
      return { event: own, start: own.start, length: own.length };
    }
    const lasting = this.#lasting.find(({ from }) => from <= wall);
    return lasting && this.#moved(wall, lasting.event);
  }

  /** Those whose instance the series did not make in the range: moved in from elsewhere, or from no instance known. */
  unused(): CalendarEvent[] {
    return [...this.#unused];
  }

  /** As far from the instance as the change is from its own, on the clock of the change. */
  #moved(wall: WallTime, event: CalendarEvent): Replacement {
    const { start, length, recurrenceId } = event;
    const own = recurrenceId ? this.#seenFrom(wallTimeIn(this.#series.start, recurrenceId), start) : start.wall;
    const shift = start.is === 'date' ? start.wall - midnightOf(own) : start.wall - own;
    const seen = this.#seenFrom(wall, start);
    return { event, start: { ...start, wall: (start.is === 'date' ? midnightOf(seen) : seen) + shift }, length };
  }

  #seenFrom(wall: WallTime, there: DateOrTime): WallTime {
    const here = this.#series.start;
    if (here.is === 'date' || there.is === 'date' || here.zone === there.zone) return wall;
    return toWallTime(toInstant(wall, here.zone), there.zone);
  }
}
