import { DAY, type WallTime } from '../../../src/core/dates/wall-time.ts';
import { CodedError } from '../../../src/core/errors.ts';
import { type Day, dayAt, dayOfWeek } from '../time/days.ts';
import type { CalendarYears, Month, Year } from './calendar-years.ts';
import { type Periods, periodsOf } from './periods.ts';
import type { RuleParts } from './rule-parts.ts';
import { type NthWeekday, ruleSpec } from './rule-spec.ts';

/** The parts that another calendar gives a meaning of its own. */
const ownParts = ['BYMONTH', 'BYMONTHDAY', 'BYYEARDAY'];

/** Returns the periods of a rule with the months and years of another calendar (RSCALE; RFC 7529). */
export function otherPeriods(parts: RuleParts, start: WallTime, { year, yearAt }: CalendarYears): Periods {
  const rest = new Map([...parts].filter(([name]) => !ownParts.includes(name)));
  const { freq, skip, weekdays } = ruleSpec(rest, start);
  const codes = parts.get('BYMONTH')?.split(',').map(monthCode);
  const numbers = (name: string) => parts.get(name)?.split(',').map(Number);
  const [monthDays, yearDays] = [numbers('BYMONTHDAY'), numbers('BYYEARDAY')];
  const periods = periodsOf(ruleSpec(rest, start), start);
  if (freq === 'YEARLY') return { ...periods, ...yearly(), regular: false };
  if (freq === 'MONTHLY') return { ...periods, ...monthly(), regular: false };
  return codes || monthDays || yearDays ? limited() : periods;

  function yearly() {
    const { months, dates } = defaults();
    return {
      phase: yearAt(dayAt(start)).number,
      indexOf: (wall: WallTime) => yearAt(dayAt(wall)).number,
      startOf: (index: number) => year(index).first * DAY,
      daysOf: (index: number) => {
        const own = year(index);
        const all = months ? months.flatMap((code) => monthOf(own, code)) : own.months;
        return toWalls(all.flatMap((month) => daysOf(own, month, dates)));
      },
    };
  }

  /** Months are numbered from the first month of DTSTART's year. */
  function monthly() {
    const { dates } = defaults();
    const first = yearAt(dayAt(start));
    const all = monthsOf(first);
    let last = first;
    const extendWhile = (isNeeded: () => boolean) => {
      while (isNeeded()) {
        last = year(last.number + 1);
        all.push(...monthsOf(last));
      }
    };
    const monthOfIndex = (index: number) => {
      extendWhile(() => index >= all.length);
      return all[index] ?? { own: first, month: monthAt(first, dayAt(start)) };
    };
    const indexOf = (wall: WallTime) => {
      extendWhile(() => last.first + last.length <= dayAt(wall));
      return all.findLastIndex(({ month }) => month.first <= dayAt(wall));
    };
    return {
      phase: indexOf(start),
      indexOf,
      startOf: (index: number) => monthOfIndex(index).month.first * DAY,
      daysOf: (index: number) => {
        const { own, month } = monthOfIndex(index);
        return codes && !codes.includes(month.code) ? [] : toWalls(daysOf(own, month, dates));
      },
    };
  }

  /** Limits weeks, days and shorter periods to days that the parts allow. */
  function limited(): Periods {
    const isAllowed = (day: Day) => {
      const own = yearAt(day);
      const month = monthAt(own, day);
      if (codes && !codes.includes(month.code)) return false;
      return has(monthDays, day - month.first, month.length) && has(yearDays, day - own.first, own.length);
    };
    return {
      ...periods,
      daysOf: (index) => {
        const walls = periods.daysOf(index);
        return typeof walls === 'number' ? walls : walls.filter((wall) => isAllowed(dayAt(wall)));
      },
      regular: false,
    };
  }

  /** Returns the months of a yearly rule, and the dates of a month; undefined for all. They follow from DTSTART if no part has them. */
  function defaults(): { months?: string[]; dates?: number[] } {
    if (monthDays || yearDays || weekdays) return { months: codes, dates: monthDays };
    const month = monthAt(yearAt(dayAt(start)), dayAt(start));
    return { months: codes ?? [month.code], dates: [dayAt(start) - month.first + 1] };
  }

  /** Returns a month of a year by its code. SKIP decides about a leap month that the year does not have (RFC 7529, 4.1). */
  function monthOf({ months }: Year, code: string): Month[] {
    const found = months.find((month) => month.code === code);
    const before = skip === 'BACKWARD' ? months.findLast((month) => month.code < code) : undefined;
    const after = skip === 'FORWARD' ? months.find((month) => month.code > code) : undefined;
    return [found ?? before ?? after].filter((month) => month !== undefined);
  }

  function daysOf(own: Year, month: Month, dates: readonly number[] | undefined): Day[] {
    const all = dates?.flatMap((date) => dayOf(month, date)) ?? range(month.first, month.length);
    return all.filter((day) => has(yearDays, day - own.first, own.length) && isWeekday(day, own, month));
  }

  function dayOf({ first, length }: Month, date: number): Day[] {
    const day = date > 0 ? first + date - 1 : first + length + date;
    if (day >= first && day < first + length) return [day];
    if (skip === 'OMIT') return [];
    if (date > 0) return [skip === 'FORWARD' ? first + length : first + length - 1];
    return [skip === 'FORWARD' ? first : first - 1];
  }

  /** Numbered weekdays are counted in their month if the rule is monthly or has months, otherwise in their year. */
  function isWeekday(day: Day, own: Year, month: Month): boolean {
    const { first, length } = freq === 'MONTHLY' || codes ? month : own;
    const [fromStart, fromEnd] = [Math.floor((day - first) / 7) + 1, -Math.ceil((first + length - day) / 7)];
    const isOne = ({ nth }: NthWeekday) => nth === 0 || nth === fromStart || nth === fromEnd;
    return weekdays?.some((one) => one.weekday === dayOfWeek(day) && isOne(one)) ?? true;
  }
}

function monthsOf(own: Year) {
  return own.months.map((month) => ({ own, month }));
}

/** Returns whether a list has the position of a day in a month or year, counted from its start or end. */
function has(positions: readonly number[] | undefined, daysBefore: number, length: number): boolean {
  return positions?.some((position) => position === daysBefore + 1 || position === daysBefore - length) ?? true;
}

/** Returns the code of a month: 5L is M05L. */
function monthCode(text: string): string {
  return `M${text.replace(/^[+-]?0*/, '').replace(/^\d(?!\d)/, '0$&')}`;
}

function monthAt({ months }: Year, day: Day): Month {
  const [first] = months;
  const month = months.findLast((one) => one.first <= day) ?? first;
  if (month === undefined) throw new CodedError('FF_BUG', 'a year has no months');
  return month;
}

function toWalls(days: readonly Day[]): WallTime[] {
  return [...new Set(days)].sort((a, b) => a - b).map((day) => day * DAY);
}

function range(first: number, length: number): number[] {
  return Array.from({ length }, (_, index) => first + index);
}
