import { Temporal } from 'temporal-polyfill/full';
import { DAY } from '../../../src/core/dates/wall-time.ts';
import type { Day } from '../time/days.ts';
import type { Budget } from './expand.ts';

/** A month of another calendar. */
export interface Month {
  /** M05 is the fifth month, M05L a leap month after it (RFC 7529, 4.2). */
  code: string;
  first: Day;
  length: number;
}

/** A year of another calendar. */
export interface Year {
  number: number;
  first: Day;
  length: number;
  months: readonly Month[];
}

/** The years of another calendar. */
export interface CalendarYears {
  /** @throws RangeError if the rules of the feed cost too much */
  year(number: number): Year;
  yearAt(day: Day): Year;
}

/** Calendars that CLDR names otherwise than Temporal. */
const otherNames: ReadonlyMap<string, string> = new Map([['ETHIOPIC-AMETE-ALEM', 'ethioaa']]);

/** Cost of a year in steps of a rule: the months of a Chinese year take 20 ms. Each year of a feed costs once. */
const STEPS_A_YEAR = 40_000;
const MOST_KNOWN = 2000;

const known = new Map<string, Year>();
const paid = new WeakMap<Budget, Set<string>>();

/** Returns the id of a calendar (RSCALE) in Temporal; undefined if there is no such calendar. */
export function calendarId(rscale: string): string | undefined {
  const id = otherNames.get(rscale) ?? rscale.toLowerCase();
  try {
    Temporal.PlainDate.from('2000-01-01').withCalendar(id);
    return id;
  } catch {
    return undefined;
  }
}

/** Creates the look-up of the years of a calendar. What they cost is taken from the budget. */
export function calendarYears(id: string, budget: Budget): CalendarYears {
  let last: Year | undefined;
  return { year, yearAt };

  function year(number: number): Year {
    const key = `${id} ${number}`;
    pay(key);
    const found = known.get(key) ?? readYear(id, number);
    if (known.size < MOST_KNOWN) known.set(key, found);
    return found;
  }

  function yearAt(day: Day): Year {
    last = last && isIn(last, day) ? last : nearby(day);
    return last;
  }

  function nearby(day: Day): Year {
    const next = last && last.number + 1;
    const following = next === undefined || !last || day < last.first ? undefined : year(next);
    if (following && isIn(following, day)) return following;
    const date = new Date(day * DAY).toISOString().slice(0, 10);
    return year(Temporal.PlainDate.from(date).withCalendar(id).year);
  }

  function pay(key: string): void {
    const years = paid.get(budget) ?? new Set();
    paid.set(budget, years);
    if (years.has(key)) return;
    years.add(key);
    budget.left -= STEPS_A_YEAR;
    if (budget.left < 0) throw new RangeError('the rules of this feed have too many dates');
  }
}

function isIn({ first, length }: Year, day: Day): boolean {
  return day >= first && day < first + length;
}

function readYear(calendar: string, number: number): Year {
  const start = Temporal.PlainDate.from({ calendar, year: number, month: 1, day: 1 });
  const first = Date.parse(`${start.withCalendar('iso8601').toString()}T00:00:00Z`) / DAY;
  let length = 0;
  const months = Array.from({ length: start.monthsInYear }, (_, index) => {
    const { monthCode, daysInMonth } = start.with({ month: index + 1 });
    const month = { code: monthCode, first: first + length, length: daysInMonth };
    length += daysInMonth;
    return month;
  });
  return { number, first, length, months };
}
