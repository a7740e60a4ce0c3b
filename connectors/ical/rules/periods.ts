import { DAY, type WallTime } from '../../../src/core/dates/wall-time.ts';
import { calendarDate, type Day, dayAt, dayNumber, firstWeekOf, startOfWeek, weekOf } from '../time/days.ts';
import { type DayLimit, monthLimits, otherLimits } from './day-limits.ts';
import { frequencyMs } from './rule-parts.ts';
import type { RuleSpec } from './rule-spec.ts';

/** The periods of a rule: numbered years, months, weeks, days, hours, minutes or seconds. */
export interface Periods {
  /** The number of the period of DTSTART, from which INTERVAL counts. */
  phase: number;
  indexOf(wall: WallTime): number;
  startOf(index: number): WallTime;
  /**
   * Returns the midnights of the days in a period that the rule allows, ascending; for hours and shorter periods, the start of
   * the period if the rule allows it. Returns a single number if no period before that wall time is allowed.
   */
  daysOf(index: number): WallTime[] | WallTime;
  /** Times within a day or a period, from the rule or from DTSTART, in ms after the midnight or start, ascending. */
  offsets: number[];
  /** Whether all periods have the same dates. */
  regular: boolean;
}

export function periodsOf(spec: RuleSpec, start: WallTime): Periods {
  const unit = frequencyMs[spec.freq] ?? DAY;
  const offsets = clockOffsets(spec, start, unit);
  if (unit < DAY) return { ...clockPeriods(spec, start, unit), offsets };
  const days = dayPeriods(spec, start);
  const isLimited = spec.months ?? spec.weeks ?? spec.yearDays ?? spec.monthDays;
  const isRegular = isLimited === undefined && (spec.freq === 'WEEKLY' || (spec.freq === 'DAILY' && !spec.weekdays));
  const daysOf = (index: number) => days.daysOf(index).map((day) => day * DAY);
  return { ...days, startOf: (index) => days.startOf(index) * DAY, daysOf, offsets, regular: isRegular };
}

type DayPeriods = Pick<Periods, 'phase' | 'indexOf'> & { startOf(index: number): Day; daysOf(index: number): Day[] };

function dayPeriods(spec: RuleSpec, start: WallTime): DayPeriods {
  const [inMonth, other] = [monthLimits(spec), otherLimits(spec)];
  const all = [...inMonth, ...other];
  if (spec.freq === 'YEARLY' && spec.weeks) return weekYears(spec, start, all);
  if (spec.freq === 'YEARLY') {
    const indexOf = (wall: WallTime) => calendarDate(dayAt(wall)).year;
    const daysOf = ({ yearDays }: RuleSpec, year: number) =>
      yearDays
        ? filtered(daysOfYear(year, yearDays), all)
        : ordered([...(spec.months ?? everyMonth)].flatMap((month) => daysOfMonth(spec, year, month, other)));
    return {
      phase: indexOf(start),
      indexOf,
      startOf: (year) => dayNumber(year, 1, 1),
      daysOf: (year) => daysOf(spec, year),
    };
  }
  if (spec.freq === 'MONTHLY') {
    const indexOf = (wall: WallTime) => {
      const { year, month } = calendarDate(dayAt(wall));
      return year * 12 + month - 1;
    };
    const monthOf = (index: number): [number, number] => [Math.floor(index / 12), (index % 12) + 1];
    const isAllowed = (index: number) => spec.months?.has(monthOf(index)[1]) ?? true;
    return {
      phase: indexOf(start),
      indexOf,
      startOf: (index) => dayNumber(...monthOf(index), 1),
      daysOf: (index) => (isAllowed(index) ? daysOfMonth(spec, ...monthOf(index), other) : []),
    };
  }
  const length = spec.freq === 'WEEKLY' ? 7 : 1;
  // Day 0 is a Thursday, so weeks are counted from the first day of the week with day 0.
  const origin = length === 7 ? startOfWeek(0, spec.weekStart) : 0;
  const indexOf = (wall: WallTime) => Math.floor((dayAt(wall) - origin) / length);
  const startOf = (index: number) => origin + index * length;
  return {
    phase: indexOf(start),
    indexOf,
    startOf,
    daysOf: (index) => allowedIn(startOf(index), startOf(index + 1), all),
  };
}

/**
 * Returns periods that are years of whole weeks. INTERVAL counts the years to which weeks belong, from the year of DTSTART's
 * week; if DTSTART does not match the rule, from its calendar year.
 */
function weekYears(spec: RuleSpec, start: WallTime, limits: readonly DayLimit[]): DayPeriods {
  const { weekStart, weeks = new Set() } = spec;
  const indexOf = (wall: WallTime) => weekOf(dayAt(wall), weekStart).year;
  const startOf = (year: number) => firstWeekOf(year, weekStart);
  const daysOf = (year: number) => {
    const all = (startOf(year + 1) - startOf(year)) / 7;
    const wanted = range(1, all).filter((week) => weeks.has(week) || weeks.has(week - all - 1));
    return filtered(
      wanted.flatMap((week) => range(startOf(year) + (week - 1) * 7, 7)),
      limits,
    );
  };
  const matches = limits.every((allows) => allows(dayAt(start)));
  return { phase: matches ? indexOf(start) : calendarDate(dayAt(start)).year, indexOf, startOf, daysOf };
}

/** Returns periods of hours, minutes or seconds; BYxxx parts of longer units limit these periods. */
function clockPeriods(spec: RuleSpec, start: WallTime, unit: number): Omit<Periods, 'offsets'> {
  const dayLimits = [...monthLimits(spec), ...otherLimits(spec)];
  const isAllowed = (day: Day) => dayLimits.every((allows) => allows(day));
  const clock = [
    { part: spec.hours, length: DAY / 24, modulo: 24 },
    { part: spec.minutes, length: 60_000, modulo: 60 },
    { part: spec.seconds, length: 1000, modulo: 60 },
  ].flatMap(({ part, ...each }) => (part && each.length >= unit ? [{ part, ...each }] : []));
  return {
    phase: Math.floor(start / unit),
    indexOf: (wall) => Math.floor(wall / unit),
    startOf: (index) => index * unit,
    daysOf: (index) => {
      const wall = index * unit;
      if (!isAllowed(dayAt(wall))) return (dayAt(wall) + 1) * DAY;
      const wrong = clock.find(
        ({ part, length, modulo }) => !part.has(((Math.floor(wall / length) % modulo) + modulo) % modulo),
      );
      return wrong ? (Math.floor(wall / wrong.length) + 1) * wrong.length : [wall];
    },
    regular: dayLimits.length === 0 && clock.length === 0,
  };
}

/** Combines hours, minutes and seconds, except units that are not shorter than `unit`. */
function clockOffsets(spec: RuleSpec, start: WallTime, unit: number): number[] {
  const time = start - dayAt(start) * DAY;
  const values = (part: ReadonlySet<number> | undefined, length: number, modulo: number) => {
    if (length >= unit) return [0];
    const own = Math.floor(time / length) % modulo;
    return [...(part ?? [own])].sort((a, b) => a - b).map((value) => value * length);
  };
  const [hours, minutes, seconds] = [
    values(spec.hours, DAY / 24, 24),
    values(spec.minutes, 60_000, 60),
    values(spec.seconds, 1000, 60),
  ];
  return hours.flatMap((hour) => minutes.flatMap((minute) => seconds.map((second) => hour + minute + second)));
}

const everyMonth = range(1, 12);

/** Days of a month that BYMONTHDAY and the limits allow, ascending. */
function daysOfMonth({ monthDays }: RuleSpec, year: number, month: number, limits: readonly DayLimit[]): Day[] {
  if (!(month >= 1 && month <= 12)) return [];
  const [first, next] = [dayNumber(year, month, 1), dayNumber(year, month + 1, 1)];
  if (monthDays === undefined) return allowedIn(first, next, limits);
  const days = [...monthDays].map((date) => (date > 0 ? first + date - 1 : next + date));
  return filtered(
    days.filter((day) => day >= first && day < next),
    limits,
  );
}

function daysOfYear(year: number, yearDays: ReadonlySet<number>): Day[] {
  const [first, next] = [dayNumber(year, 1, 1), dayNumber(year + 1, 1, 1)];
  return [...yearDays]
    .map((number) => (number > 0 ? first + number - 1 : next + number))
    .filter((day) => day >= first && day < next);
}

/** Days from `first` to before `end` that all limits allow. Does not build a list of all days, because there are many. */
function allowedIn(first: Day, end: Day, limits: readonly DayLimit[]): Day[] {
  const allowed: Day[] = [];
  for (let day = first; day < end; day += 1) if (limits.every((allows) => allows(day))) allowed.push(day);
  return allowed;
}

/** The days that all limits allow, ascending, each once. */
function filtered(days: readonly Day[], limits: readonly DayLimit[]): Day[] {
  return ordered(days.filter((day) => limits.every((allows) => allows(day))));
}

function ordered(days: readonly Day[]): Day[] {
  return [...new Set(days)].sort((a, b) => a - b);
}

function range(first: number, length: number): number[] {
  return Array.from({ length }, (_, index) => first + index);
}
