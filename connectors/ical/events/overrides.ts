import { type Length, type When, wallIn } from '../time/times.ts';
import { dayOf, type Wall } from '../time/wall.ts';
import { toInstant, toWall } from '../time/zone.ts';
import type { CalendarEvent } from './event.ts';

/** What takes the place of an instance. */
export interface Replacement {
  event: CalendarEvent;
  start: When;
  length: Length;
}

/** The changed instances of a series, found by the instance that they change (RECURRENCE-ID; RFC 5545, 3.8.4.4). */
export class Overrides {
  readonly #series: CalendarEvent;
  readonly #byWall = new Map<Wall, CalendarEvent>();
  /** RECURRENCE-ID is only a day, though the series has times. */
  readonly #byDay = new Map<Wall, CalendarEvent>();
  /** RANGE=THISANDFUTURE, the latest first. */
  readonly #lasting: Array<{ from: Wall; event: CalendarEvent }> = [];
  readonly #unused: Set<CalendarEvent>;

  constructor(series: CalendarEvent, overrides: readonly CalendarEvent[]) {
    this.#series = series;
    this.#unused = new Set(overrides);
    for (const event of overrides) {
      if (event.recurrenceId === undefined) continue;
      const wall = wallIn(series.start, event.recurrenceId);
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
  at(wall: Wall): Replacement | undefined {
    const own = this.#byWall.get(wall) ?? this.#byDay.get(dayOf(wall));
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
  #moved(wall: Wall, event: CalendarEvent): Replacement {
    const { start, length, recurrenceId } = event;
    const own = recurrenceId ? this.#seenFrom(wallIn(this.#series.start, recurrenceId), start) : start.wall;
    const shift = start.is === 'date' ? start.wall - dayOf(own) : start.wall - own;
    const seen = this.#seenFrom(wall, start);
    return { event, start: { ...start, wall: (start.is === 'date' ? dayOf(seen) : seen) + shift }, length };
  }

  #seenFrom(wall: Wall, there: When): Wall {
    const here = this.#series.start;
    if (here.is === 'date' || there.is === 'date' || here.zone === there.zone) return wall;
    return toWall(toInstant(wall, here.zone), there.zone);
  }
}
