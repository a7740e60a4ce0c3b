import { DAY, midnightOf, type WallTime } from '../time/wall-time.ts';
import type { RuleParts } from './rule-parts.ts';

/** A rule that the expansion library reads well, and what to keep of its days. */
export interface DailyEquivalent {
  parts: RuleParts;
  keeps: (wall: WallTime) => boolean;
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/**
 * The rules that rrule-temporal misreads, as daily ones with a condition (RFC 5545, 3.3.10): weeks that reach over the
 * turn of the year, BYDAY beside BYYEARDAY, and the nth weekday of a year beside BYMONTHDAY. Undefined for all others.
 */
export function dailyEquivalent(parts: RuleParts, start: WallTime): DailyEquivalent | undefined {
  if (parts.has('BYSETPOS') || parts.has('RSCALE')) return undefined;
  if (parts.get('FREQ') !== 'YEARLY') return byWeekOtherwise(parts);
  const byDay = parts.get('BYDAY')?.split(',');
  const interval = Number(parts.get('INTERVAL') ?? 1);
  if (parts.has('BYWEEKNO')) return byWeek(parts, start, interval, byDay);
  const ordinal = byDay?.some((day) => /\d/.test(day)) ?? false;
  const limitedTwice =
    byDay && (parts.has('BYYEARDAY') || (parts.has('BYMONTHDAY') && ordinal && !parts.has('BYMONTH')));
  if (!limitedTwice) return undefined;
  const phase = yearOf(start);
  return {
    parts: dailyParts(parts, ['BYDAY']),
    keeps: (wall) => (yearOf(wall) - phase) % interval === 0 && byDay.some((day) => isNthDay(wall, day)),
  };
}

/**
 * INTERVAL counts the years that weeks belong to, from that of DTSTART, or from its calendar year where the rule does not
 * make DTSTART itself. Without BYDAY the weekday is that of DTSTART.
 */
function byWeek(parts: RuleParts, start: WallTime, interval: number, byDay: string[] | undefined): DailyEquivalent {
  const weekStart = weekdays.indexOf(parts.get('WKST') ?? 'MO');
  const numbers = new Set(parts.get('BYWEEKNO')?.split(',').map(Number));
  const limited = ['BYMONTH', 'BYMONTHDAY', 'BYYEARDAY'].some((name) => parts.has(name));
  const days = byDay ?? (limited ? weekdays : [weekdayOf(start)]);
  const matches = (wall: WallTime, { week, weeks }: Week) =>
    days.some((day) => day.endsWith(weekdayOf(wall))) && (numbers.has(week) || numbers.has(week - weeks - 1));
  const first = weekOf(start, weekStart);
  const phase = matches(start, first) ? first.year : yearOf(start);
  return {
    parts: dailyParts(parts, ['BYWEEKNO', 'BYDAY']),
    keeps: (wall) => {
      const week = weekOf(wall, weekStart);
      return (week.year - phase) % interval === 0 && matches(wall, week);
    },
  };
}

/**
 * BYWEEKNO is for yearly rules only. Where a monthly or weekly rule has it all the same, and says nothing of days, it means
 * every day of those weeks, as python-dateutil has it.
 */
function byWeekOtherwise(parts: RuleParts): DailyEquivalent | undefined {
  const isOther = parts.get('FREQ') === 'MONTHLY' || parts.get('FREQ') === 'WEEKLY';
  const saysDays = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY'].some((name) => parts.has(name));
  if (!isOther || !parts.has('BYWEEKNO') || saysDays || Number(parts.get('INTERVAL') ?? 1) > 1) return undefined;
  return { parts: dailyParts(parts, []), keeps: () => true };
}

function dailyParts(parts: RuleParts, without: readonly string[]): RuleParts {
  const kept = [...parts].filter(([name]) => !without.includes(name) && name !== 'INTERVAL');
  return new Map([...kept, ['FREQ', 'DAILY']]);
}

/** Whether it is such a weekday, the nth of its year from the start or the end where there is a number. */
function isNthDay(wall: WallTime, day: string): boolean {
  if (!day.endsWith(weekdayOf(wall))) return false;
  const nth = Number(day.slice(0, -2));
  if (nth === 0) return true;
  const [year, next] = [Date.UTC(yearOf(wall), 0, 1), Date.UTC(yearOf(wall) + 1, 0, 1)];
  const position =
    nth > 0
      ? Math.floor((midnightOf(wall) - year) / (7 * DAY))
      : -Math.floor((next - DAY - midnightOf(wall)) / (7 * DAY));
  return nth > 0 ? position + 1 === nth : position - 1 === nth;
}

interface Week {
  year: number;
  week: number;
  /** In that year. */
  weeks: number;
}

/** The week that a day belongs to, by ISO 8601 but for the day that weeks start on: week 1 has at least four days. */
function weekOf(wall: WallTime, weekStart: number): Week {
  const day = midnightOf(wall);
  const startOfWeek = day - ((new Date(day).getUTCDay() - weekStart + 7) % 7) * DAY;
  const year = yearOf(startOfWeek + 3 * DAY);
  const first = firstWeek(year, weekStart);
  const weeks = Math.round((firstWeek(year + 1, weekStart) - first) / (7 * DAY));
  return { year, week: Math.round((startOfWeek - first) / (7 * DAY)) + 1, weeks };
}

function firstWeek(year: number, weekStart: number): WallTime {
  const fourth = Date.UTC(year, 0, 4);
  return fourth - ((new Date(fourth).getUTCDay() - weekStart + 7) % 7) * DAY;
}

function yearOf(wall: WallTime): number {
  return new Date(wall).getUTCFullYear();
}

function weekdayOf(wall: WallTime): string {
  return weekdays[new Date(wall).getUTCDay()] ?? '';
}
