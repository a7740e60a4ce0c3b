import type { Column } from '../columns/columns.ts';
import { type DateColumn, readDate } from '../dates/date-column.ts';
import { daysBetween } from '../dates/whole-days.ts';
import { precedes } from './unnamed-times.ts';

/** Least number of times of day that show whether they are of the 12-hour clock. */
const LEAST_TIMES = 4;

/** Returns why times may be of the 12-hour clock without am and pm: none is after noon, and some would be at night. */
export function doubtOfHalf(dates: DateColumn | undefined): string[] {
  if (dates === undefined || dates.is === 'day' || dates.formats.some((format) => format.includes('a'))) return [];
  const texts = [...new Set(dates.column.texts)];
  if (texts.some((text) => /[ap]\.?\s?m/i.test(text))) return [];
  const hours = texts.flatMap((text) => {
    const time = readDate(dates, text)?.time;
    return time === undefined ? [] : [Number(time.slice(0, 2))];
  });
  const isHalf =
    hours.length >= LEAST_TIMES && hours.every((hour) => hour <= 12) && hours.some((hour) => hour >= 1 && hour < 7);
  return isHalf
    ? [`no time of ${dates.column.path} is after 12:59, and some are before 7:00: am and pm may be missing`]
    : [];
}

/** Returns why a field may not be the start: another one has later dates, and no attribute takes these. */
export function doubtOfStart(start: Column, others: readonly Column[]): string[] {
  const later = others.find((other) => precedes(start, other, 1));
  return later === undefined ? [] : [`${later.path} has later dates, which no attribute takes: the start may be there`];
}

/** Returns in how many records the end is on a day before the start. */
export function doubtOfEnd(start: DateColumn, end: DateColumn | undefined): string[] {
  const days = end ? daysBetween(start, end) : [];
  const wrong = days.filter((one) => one < 0).length;
  return end && wrong > 0
    ? [`${end.column.path} is before ${start.column.path} in ${wrong} of ${days.length} records`]
    : [];
}

/** Returns whether most times have seconds such as 15:09:43: a record was written then, no event starts so. */
export function hasOddSeconds(dates: DateColumn | undefined): boolean {
  const isOdd = (text: string) => /(?:^|\D)\d\d?:\d\d:(?!00|59)\d\d/.test(text);
  if (dates === undefined || dates.is === 'day') return false;
  const { texts } = dates.column;
  return texts.filter(isOdd).length > texts.length / 2;
}
