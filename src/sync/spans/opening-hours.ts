import { DAY } from '../../core/dates/wall-time.ts';

/** A day on which an event is open, and from when to when: HH:MM:SS. */
export interface OpenDay {
  date: string;
  start: string;
  end: string;
}

/** 1 January 2024 was a Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];

/**
 * Writes opening hours as a text, such as "Tue–Fri 10:00–17:00, Sat 10:00–20:00": the usual ones of each weekday, then the dates with
 * others.
 * @param language of the names of weekdays and months
 */
export function describeHours(days: readonly OpenDay[], language: string): string {
  const nameOf = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' });
  const dateOf = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const byWeekday = Map.groupBy(days, ({ date }) => (new Date(date).getUTCDay() + 6) % 7);
  const usual = WEEKDAYS.map((weekday) => mostFrequent((byWeekday.get(weekday) ?? []).map(hoursOf)));
  const weekdays = inRows(WEEKDAYS, (weekday) => usual[weekday]).map(([first = 0, ...more]) => {
    const names = [first, ...more.slice(-1)].map((weekday) => nameOf.format(MONDAY + weekday * DAY));
    return `${names.join('–')} ${usual[first]}`.trim();
  });
  const others = days
    .filter((day) => hoursOf(day) !== usual[(new Date(day.date).getUTCDay() + 6) % 7])
    .map((day) => `${dateOf.format(new Date(day.date))} ${hoursOf(day)}`);
  return [...weekdays, ...others].join(', ');
}

/** Puts neighbours with equal values together; leaves out those without a value. */
function inRows(weekdays: readonly number[], hoursOn: (weekday: number) => string | undefined): number[][] {
  const rows: number[][] = [];
  for (const weekday of weekdays) {
    const value = hoursOn(weekday);
    if (value === undefined) continue;
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (row && last === weekday - 1 && hoursOn(last) === value) row.push(weekday);
    else rows.push([weekday]);
  }
  return rows;
}

function hoursOf({ start, end }: OpenDay): string {
  if (start === '00:00:00' && end >= '23:59:00') return '';
  return [...new Set([start, end])].map((time) => time.slice(0, 5)).join('–');
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, { length }]) => ({ value, length }));
  return counts.reduce<(typeof counts)[number] | undefined>(
    (best, each) => (best && best.length >= each.length ? best : each),
    undefined,
  )?.value;
}
