import { midnightOf, type WallTime } from '../../../src/core/dates/wall-time.ts';
import type { Rule } from '../rules/rule.ts';
import { type DateOrTime, type Duration, shownWallTime, wallTimeIn } from '../time/date-time.ts';
import type { CalendarEvent } from './event.ts';

/** Limit for the dates of a series before exceptions are removed. */
const MOST_CANDIDATES = 50_000;

/**
 * Yields the recurrence set of a series in a range of wall times, ascending (RFC 5545, 3.8.5): the dates of its rules and
 * RDATEs, and DTSTART, without the exceptions. If there are rules, but no rule has DTSTART, `hasStart` decides whether DTSTART
 * is an instance; it is none if UNTIL leaves no date. An RDATE that is a period has its own duration.
 * @throws RangeError if rules or exceptions have too many dates
 */
export function* recurrenceSet(
  series: CalendarEvent,
  from: WallTime,
  to: WallTime,
): Generator<{ wall: WallTime; duration?: Duration }> {
  const { rules, exceptRules, dates, exceptDates, hasStart } = series.recurrence;
  const extra = new Map(dates.map(({ start, duration }) => [extraWallTime(series, start), duration]));
  const startCounts = rules.length === 0 || (hasStart && !endsBeforeItBegins(series));
  const fixed = startCounts ? [series.start.wall, ...extra.keys()] : [...extra.keys()];
  const isExceptDate = exceptDateTest(series, exceptDates);
  const exceptions = union(exceptRules, [], from, to);
  let exception: IteratorResult<WallTime> | undefined;

  for (const wall of union(rules, fixed, from, to)) {
    if (isExceptDate(wall)) continue;
    exception ??= exceptions.next();
    while (!exception.done && exception.value < wall) exception = exceptions.next();
    if (exception.value === wall) continue;
    yield { wall, duration: extra.get(wall) };
  }
}

/** Returns true if UNTIL leaves no date of any rule: some programs end a series before its start to delete it. */
export function endsBeforeItBegins({ start, recurrence: { rules } }: CalendarEvent): boolean {
  const isEmpty = ({ until, between }: Rule) => {
    if (until === undefined) return false;
    const [first] = between(start.wall, until);
    return first === undefined;
  };
  return rules.length > 0 && rules.every(isEmpty);
}

/** Returns the wall time of an RDATE. An RDATE that is only a day gets the time of the series. */
function extraWallTime({ start }: CalendarEvent, extra: DateOrTime): WallTime {
  const wall = wallTimeIn(start, extra);
  return start.is === 'time' && extra.is === 'date' ? wall + (start.wall - midnightOf(start.wall)) : wall;
}

/** Returns a test for excepted wall times. A DATE excepts all instances on that day. */
export function exceptDateTest({ start }: CalendarEvent, dates: readonly DateOrTime[]): (wall: WallTime) => boolean {
  const { date = [], time = [] } = Object.groupBy(dates, ({ is }) => is);
  const days = new Set(date.map(({ wall }) => wall));
  const walls = new Set(time.map((moment) => shownWallTime(start, wallTimeIn(start, moment))));
  return (wall) => days.has(midnightOf(wall)) || (walls.size > 0 && walls.has(shownWallTime(start, wall)));
}

/** Returns true if a series has dates after a wall time. */
export function continuesAfter(series: CalendarEvent, to: WallTime): boolean {
  const { rules, dates } = series.recurrence;
  if (to === Number.POSITIVE_INFINITY) return false;
  if (rules.some(({ endless }) => endless) || dates.some(({ start }) => start.wall > to)) return true;
  return !union(rules, [], to + 1000, Number.POSITIVE_INFINITY).next().done;
}

/**
 * Merges the dates of rules and fixed dates in ascending order, each wall time once.
 * @throws RangeError after too many dates
 */
function* union(rules: readonly Rule[], fixed: readonly WallTime[], from: WallTime, to: WallTime): Generator<WallTime> {
  const within = [...new Set(fixed)].filter((wall) => wall >= from && wall <= to).sort((a, b) => a - b);
  const sources = [within, ...rules.map((rule) => rule.between(from, to))].map((walls) => walls[Symbol.iterator]());
  const heads = sources.map((source) => source.next());
  for (let count = 0; ; count += 1) {
    const next = Math.min(...heads.map((head) => (head.done ? Number.POSITIVE_INFINITY : head.value)));
    if (next === Number.POSITIVE_INFINITY) return;
    if (count === MOST_CANDIDATES) throw new RangeError(`it has more than ${MOST_CANDIDATES} dates`);
    yield next;
    sources.forEach((source, index) => {
      if (heads[index]?.value === next) heads[index] = source.next();
    });
  }
}
