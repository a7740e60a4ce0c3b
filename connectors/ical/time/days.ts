import { DAY, type WallTime } from '../../../src/core/dates/wall-time.ts';

/** A day as the number of days since 1970. */
export type Day = number;

/** Days in 400 years, after which the calendar repeats itself with the same weekdays. */
export const DAYS_IN_CYCLE = 146_097;

/** Returns the day of a year, month and day of month, all counted from 1. Values beyond the end of a month or year roll over. */
export function dayNumber(year: number, month: number, date: number): Day {
  // Date.UTC reads a year from 0 to 99 as a year of the 20th century.
  return Date.UTC(year + 400, month - 1, date) / DAY - DAYS_IN_CYCLE;
}

export function dayAt(wall: WallTime): Day {
  return Math.floor(wall / DAY);
}

/** Year, month and day of month, the last two counted from 1. */
export function calendarDate(day: Day): { year: number; month: number; date: number } {
  const moment = new Date(day * DAY);
  return { year: moment.getUTCFullYear(), month: moment.getUTCMonth() + 1, date: moment.getUTCDate() };
}

/** 0 is Sunday. */
export function dayOfWeek(day: Day): number {
  return (((day + 4) % 7) + 7) % 7;
}

export function startOfWeek(day: Day, weekStart: number): Day {
  return day - ((dayOfWeek(day) - weekStart + 7) % 7);
}

/** The first day of week 1 of a year: the first week with at least four days in that year. */
export function firstWeekOf(year: number, weekStart: number): Day {
  return startOfWeek(dayNumber(year, 1, 4), weekStart);
}

/** Returns the week of a day and the year of that week, as in ISO 8601, but with any first day of the week. */
export function weekOf(day: Day, weekStart: number): { year: number; week: number; weeks: number } {
  const monday = startOfWeek(day, weekStart);
  const { year } = calendarDate(monday + 3);
  const first = firstWeekOf(year, weekStart);
  return { year, week: (monday - first) / 7 + 1, weeks: (firstWeekOf(year + 1, weekStart) - first) / 7 };
}
