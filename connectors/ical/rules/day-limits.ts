import { calendarDate, type Day, dayNumber, dayOfWeek, weekOf } from '../time/days.ts';
import type { RuleSpec } from './rule-spec.ts';

/** Returns true for the days that a part of a rule allows. */
export type DayLimit = (day: Day) => boolean;

/** The limits of a rule on months and on days of the month. */
export function monthLimits({ months, monthDays }: RuleSpec): DayLimit[] {
  const limits: DayLimit[] = [];
  if (months) limits.push((day) => months.has(calendarDate(day).month));
  if (monthDays) {
    limits.push((day) => {
      const { year, month, date } = calendarDate(day);
      return monthDays.has(date) || monthDays.has(day - dayNumber(year, month + 1, 1));
    });
  }
  return limits;
}

/** The other limits of a rule on days. */
export function otherLimits(spec: RuleSpec): DayLimit[] {
  const { weeks, yearDays, weekStart } = spec;
  const limits: DayLimit[] = [];
  if (weeks) {
    limits.push((day) => {
      const { week, weeks: all } = weekOf(day, weekStart);
      return weeks.has(week) || weeks.has(week - all - 1);
    });
  }
  if (yearDays) {
    limits.push((day) => {
      const { year } = calendarDate(day);
      return yearDays.has(day - dayNumber(year, 1, 1) + 1) || yearDays.has(day - dayNumber(year + 1, 1, 1));
    });
  }
  const byWeekday = weekdayLimit(spec);
  return byWeekday ? [...limits, byWeekday] : limits;
}

/** Numbered weekdays are counted in their month if the rule is monthly or has months, otherwise in their year. */
function weekdayLimit({ weekdays, freq, months }: RuleSpec): DayLimit | undefined {
  if (weekdays === undefined) return undefined;
  const every = new Set(weekdays.filter(({ nth }) => nth === 0).map(({ weekday }) => weekday));
  const numbered = Map.groupBy(
    weekdays.filter(({ nth }) => nth !== 0),
    ({ weekday }) => weekday,
  );
  const inMonth = freq === 'MONTHLY' || months !== undefined;
  return (day) => {
    const weekday = dayOfWeek(day);
    if (every.has(weekday)) return true;
    const candidates = numbered.get(weekday);
    if (candidates === undefined) return false;
    const { year, month } = calendarDate(day);
    const first = dayNumber(year, inMonth ? month : 1, 1);
    const end = inMonth ? dayNumber(year, month + 1, 1) : dayNumber(year + 1, 1, 1);
    const [fromStart, fromEnd] = [Math.floor((day - first) / 7) + 1, -Math.ceil((end - day) / 7)];
    return candidates.some(({ nth }) => nth === fromStart || nth === fromEnd);
  };
}
