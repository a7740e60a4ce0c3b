import { DAY, type WallTime } from '../../../src/core/dates/wall-time.ts';
import { DAYS_IN_CYCLE } from '../time/days.ts';
import type { Periods } from './periods.ts';
import type { RuleSpec } from './rule-spec.ts';

/** Limit for the work on the rules of a feed. One step is roughly one examined day or one date. */
export interface Budget {
  left: number;
}

export type Expand = (from: WallTime, to: WallTime) => Iterable<WallTime>;

/**
 * Creates the expansion of a rule: its wall times in a range, ascending, both ends inclusive. Only the periods in the range are
 * examined, unless the rule has a COUNT and periods of different sizes. The range must end.
 */
export function expander(
  spec: RuleSpec,
  periods: Periods,
  start: WallTime,
  count: number | undefined,
  budget: Budget,
): Expand {
  const { phase, indexOf, startOf, daysOf } = periods;
  const { interval } = spec;
  const stepsAPeriod = daysExamined(spec) + 1;
  // The calendar repeats itself, so a rule without dates for this long has no more dates.
  const patience = DAYS_IN_CYCLE * DAY * interval;

  return function* expand(from, to) {
    let { first, left } = startingPoint(Math.max(from, start));
    for (const wall of datesFrom(first, to)) {
      if (wall >= from) yield wall;
      left -= 1;
      if (left === 0) return;
    }
  };

  /** Returns the first period to examine, and the number of dates that COUNT allows from there. */
  function startingPoint(from: WallTime): { first: number; left: number } {
    const wanted = Math.max(0, Math.floor((indexOf(from) - phase) / interval));
    if (count === undefined) return { first: phase + wanted * interval, left: Number.POSITIVE_INFINITY };
    if (!periods.regular) return { first: phase, left: count };
    const inFirst = [...datesOf(periods, spec, startDays(phase))].filter((wall) => wall >= start).length;
    const inEach = [...datesOf(periods, spec, startDays(phase + interval))].length;
    const skipped = Math.max(0, Math.min(wanted - 1, Math.floor((count - inFirst - 1) / Math.max(inEach, 1))));
    if (skipped === 0) return { first: phase, left: count };
    return { first: phase + (skipped + 1) * interval, left: count - inFirst - skipped * inEach };
  }

  function startDays(index: number): WallTime[] {
    const days = daysOf(index);
    return typeof days === 'number' ? [] : days;
  }

  function* datesFrom(first: number, to: WallTime): Generator<WallTime> {
    let last = Number.NEGATIVE_INFINITY;
    let searchedFrom = startOf(first);
    for (let index = first; ; ) {
      const at = startOf(index);
      if (at > to || at - searchedFrom > patience) return;
      spend(stepsAPeriod);
      const days = daysOf(index);
      if (typeof days === 'number') {
        index = phase + Math.ceil((indexOf(days) - phase) / interval) * interval;
        continue;
      }
      for (const wall of datesOf(periods, spec, days)) {
        if (wall < start || wall <= last) continue;
        if (wall > to) return;
        spend(1);
        yield wall;
        [last, searchedFrom] = [wall, at];
      }
      index += interval;
    }
  }

  function spend(steps: number): void {
    budget.left -= steps;
    if (budget.left < 0) throw new RangeError('the rules of this feed have too many dates');
  }
}

/** Returns about how many days of a period are examined. */
function daysExamined({ freq, weeks, yearDays, months, monthDays }: RuleSpec): number {
  if (freq === 'YEARLY' && weeks) return 53 + weeks.size * 7;
  if (freq === 'YEARLY' && yearDays) return yearDays.size;
  if (freq === 'YEARLY') return (months?.size ?? 12) * (monthDays?.size ?? 31);
  if (freq === 'MONTHLY') return monthDays?.size ?? 31;
  return freq === 'WEEKLY' ? 2 : 1;
}

/** Yields the dates of one period, ascending, at the positions of BYSETPOS, without a list: there may be a million dates. */
function* datesOf({ offsets }: Periods, { positions }: RuleSpec, days: readonly WallTime[]): Generator<WallTime> {
  if (positions === undefined) {
    for (const day of days) for (const offset of offsets) yield day + offset;
    return;
  }
  const total = days.length * offsets.length;
  const zeroBased = [...positions].map((position) => (position > 0 ? position - 1 : total + position));
  const present = [...new Set(zeroBased)].filter((position) => position >= 0 && position < total);
  for (const position of present.sort((a, b) => a - b)) {
    yield (days[Math.floor(position / offsets.length)] ?? 0) + (offsets[position % offsets.length] ?? 0);
  }
}
