import type { Rule } from '../rules/rule.ts';
import { type Duration, wallTimeIn } from '../time/date-time.ts';
import { midnightOf, type WallTime } from '../time/wall-time.ts';
import type { CalendarEvent } from './event.ts';

/** An instance of a series, by its wall time in the series' zone. */
export interface RecurrenceInstance {
  wall: WallTime;
  /** Of an RDATE that is a period. */
  length?: Duration;
}

/** More dates than this are not looked at, whatever rules and exceptions leave of them. */
const MOST_CANDIDATES = 50_000;

/**
 * The recurrence set of a series in a range of wall times, ascending (RFC 5545, 3.8.5): what its rules and dates make,
 * without what the exceptions take away. With rules, DTSTART is an instance only where a rule makes it.
 * @throws RangeError where rules or exceptions make too many to look at
 */
export function* recurrenceSet(series: CalendarEvent, from: WallTime, to: WallTime): Generator<RecurrenceInstance> {
  const { rules, exceptRules, dates, exceptDates } = series.recurrence;
  const extra = new Map(dates.map(({ start, length }) => [extraWall(series, start), length]));
  const fixed = rules.length === 0 ? [series.start.wall, ...extra.keys()] : [...extra.keys()];
  const isExcepted = exceptedBy(series, exceptDates);
  const madeByExceptions = new Ascending(bounded(union(exceptRules, [], from, to)));

  for (const wall of bounded(union(rules, fixed, from, to))) {
    if (isExcepted(wall) || madeByExceptions.has(wall)) continue;
    const length = extra.get(wall);
    yield { wall, ...(length ? { length } : {}) };
  }
}

/** An RDATE that is only a day has the time of the series. */
function extraWall({ start }: CalendarEvent, extra: CalendarEvent['start']): WallTime {
  const wall = wallTimeIn(start, extra);
  return start.is === 'time' && extra.is === 'date' ? wall + (start.wall - midnightOf(start.wall)) : wall;
}

/** A DATE excepts all that is on that day. */
function exceptedBy({ start }: CalendarEvent, dates: readonly CalendarEvent['start'][]): (wall: WallTime) => boolean {
  const walls = new Set(dates.filter((date) => date.is === 'time').map((date) => wallTimeIn(start, date)));
  const days = new Set(dates.filter((date) => date.is === 'date').map(({ wall }) => wall));
  return (wall) => walls.has(wall) || days.has(midnightOf(wall));
}

/** Whether anything of it comes after a wall time. */
export function continuesAfter(series: CalendarEvent, to: WallTime): boolean {
  const { rules, dates } = series.recurrence;
  if (to === Number.POSITIVE_INFINITY) return false;
  if (rules.some(({ endless }) => endless) || dates.some(({ start }) => start.wall > to)) return true;
  return !first(union(rules, [], to + 1000, Number.POSITIVE_INFINITY)).done;
}

function first(walls: Iterable<WallTime>): IteratorResult<WallTime> {
  return walls[Symbol.iterator]().next();
}

/** Several ascending sources as one, each wall time once. */
function* union(rules: readonly Rule[], fixed: readonly WallTime[], from: WallTime, to: WallTime): Generator<WallTime> {
  const within = [...new Set(fixed)].filter((wall) => wall >= from && wall <= to).sort((a, b) => a - b);
  const sources = [within, ...rules.map((rule) => rule.between(from, to))].map((walls) => walls[Symbol.iterator]());
  const heads = sources.map((source) => source.next());
  for (;;) {
    const next = Math.min(...heads.map((head) => (head.done ? Number.POSITIVE_INFINITY : head.value)));
    if (next === Number.POSITIVE_INFINITY) return;
    yield next;
    sources.forEach((source, index) => {
      if (heads[index]?.value === next) heads[index] = source.next();
    });
  }
}

/** Asks an ascending source for ascending values. */
class Ascending {
  readonly #source: Iterator<WallTime>;
  #head: IteratorResult<WallTime> | undefined;

  constructor(walls: Iterable<WallTime>) {
    this.#source = walls[Symbol.iterator]();
  }

  has(wall: WallTime): boolean {
    this.#head ??= this.#source.next();
    while (!this.#head.done && this.#head.value < wall) this.#head = this.#source.next();
    return !this.#head.done && this.#head.value === wall;
  }
}

/** @throws RangeError where there are more than may be looked at. */
function* bounded(walls: Iterable<WallTime>): Generator<WallTime> {
  let left = MOST_CANDIDATES;
  for (const wall of walls) {
    if (left === 0) throw new RangeError(`it makes more than ${MOST_CANDIDATES} dates`);
    left -= 1;
    yield wall;
  }
}
