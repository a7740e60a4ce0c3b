import { DAY, midnightOf, type WallTime } from '../time/wall-time.ts';
import type { RuleParts } from './rule-parts.ts';

/** A rule that the expansion library reads correctly, and the condition for its dates. */
export interface DailyEquivalent {
  parts: RuleParts;
  keeps: (wall: WallTime) => boolean;
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/**
 * Rewrites the rules that rrule-temporal misreads as daily rules with a condition (RFC 5545, 3.3.10): weeks across the turn
 * of the year, BYDAY with BYYEARDAY, and the nth weekday of a year with BYMONTHDAY. Returns undefined for all others.
 */
export function dailyEquivalent(parts: RuleParts, start: WallTime): DailyEquivalent | undefined {
  if (parts.has('BYSETPOS') || parts.has('RSCALE')) return undefined;
  if (parts.get('FREQ') !== 'YEARLY') return byWeekOfOtherRule(parts);
  const byDay = parts.get('BYDAY')?.split(',');
  const interval = Number(parts.get('INTERVAL') ?? 1);
  if (parts.has('BYWEEKNO')) return byWeek(parts, start, interval, byDay);
  const hasOrdinal = byDay?.some((day) => /\d/.test(day)) ?? false;
  const isLimitedTwice =
    byDay && (parts.has('BYYEARDAY') || (parts.has('BYMONTHDAY') && hasOrdinal && !parts.has('BYMONTH')));
  if (!isLimitedTwice) return undefined;
  const phase = yearOf(start);
  return {
    parts: dailyParts(parts, ['BYDAY']),
    keeps: (wall) => (yearOf(wall) - phase) % interval === 0 && byDay.some((day) => isNthDay(wall, day)),
  };
}

/**
 * INTERVAL counts the years that weeks belong to, from the one of DTSTART, or from its calendar year if DTSTART does not match
 * the rule. Without BYDAY, the weekday is that of DTSTART.
 */
function byWeek(parts: RuleParts, start: WallTime, interval: number, byDay: string[] | undefined): DailyEquivalent {
  const weekStart = weekdays.indexOf(parts.get('WKST') ?? 'MO');
  const numbers = new Set(parts.get('BYWEEKNO')?.split(',').map(Number));
  const isLimited = ['BYMONTH', 'BYMONTHDAY', 'BYYEARDAY'].some((name) => parts.has(name));
  const days = byDay ?? (isLimited ? weekdays : [weekdayOf(start)]);
  const matches = (wall: WallTime, { week, weeks }: ReturnType<typeof weekOf>) =>
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
 * BYWEEKNO is valid in yearly rules only. In a monthly or weekly rule that does not limit the days, it means every day of
 * those weeks, as in python-dateutil.
 */
function byWeekOfOtherRule(parts: RuleParts): DailyEquivalent | undefined {
  const isOther = parts.get('FREQ') === 'MONTHLY' || parts.get('FREQ') === 'WEEKLY';
  const limitsDays = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY'].some((name) => parts.has(name));
  if (!isOther || !parts.has('BYWEEKNO') || limitsDays || Number(parts.get('INTERVAL') ?? 1) > 1) return undefined;
  return { parts: dailyParts(parts, []), keeps: () => true };
}

function dailyParts(parts: RuleParts, without: readonly string[]): RuleParts {
  const kept = [...parts].filter(([name]) => !without.includes(name) && name !== 'INTERVAL');
  return new Map([...kept, ['FREQ', 'DAILY']]);
}

/** Matches a weekday, or with a number the nth of its year, counted from the start or from the end. */
function isNthDay(wall: WallTime, day: string): boolean {
  if (!day.endsWith(weekdayOf(wall))) return false;
  const nth = Number(day.slice(0, -2));
  if (nth === 0) return true;
  const midnight = midnightOf(wall);
  if (nth > 0) return Math.floor((midnight - Date.UTC(yearOf(wall), 0, 1)) / (7 * DAY)) + 1 === nth;
  return Math.floor((Date.UTC(yearOf(wall), 11, 31) - midnight) / (7 * DAY)) + 1 === -nth;
}

/**
 * The week of a day, the year that it belongs to, and the number of weeks in that year: by ISO 8601, but with any first day.
 * Week 1 has at least four days.
 */
function weekOf(wall: WallTime, weekStart: number) {
  const start = startOfWeek(midnightOf(wall), weekStart);
  const year = yearOf(start + 3 * DAY);
  const first = firstWeek(year, weekStart);
  const weeks = Math.round((firstWeek(year + 1, weekStart) - first) / (7 * DAY));
  return { year, week: Math.round((start - first) / (7 * DAY)) + 1, weeks };
}

function firstWeek(year: number, weekStart: number): WallTime {
  return startOfWeek(Date.UTC(year, 0, 4), weekStart);
}

function startOfWeek(day: WallTime, weekStart: number): WallTime {
  return day - ((new Date(day).getUTCDay() - weekStart + 7) % 7) * DAY;
}

function yearOf(wall: WallTime): number {
  return new Date(wall).getUTCFullYear();
}

function weekdayOf(wall: WallTime): string {
  return weekdays[new Date(wall).getUTCDay()] ?? '';
}
