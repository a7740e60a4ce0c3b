import type { Column } from '../columns/columns.ts';
import { wordsOf } from '../columns/names.ts';
import { datesOf } from '../dates/read-column.ts';
import { daysBetween } from '../dates/whole-days.ts';

/** Days by which dates of publication, deadlines and the like precede the events on average. */
const LONG_BEFORE = 3;
/** Share of records that shows how two fields relate. */
const MOST = 0.9;

const otherTimes =
  /door|einlass|portes|apertura|ouverture|admission|dauer|duree|durat|durac|durata|length|laufzeit|длит|продолж|開場|入場|受付|입장|דלתות|access|created|updated|modif/;

/** Returns whether a field is named as a time that is not the start, such as that of the doors. */
export function isOtherTime({ names }: Column): boolean {
  return otherTimes.test(wordsOf(names.at(-1) ?? '').join(''));
}

/** Returns the field with dates that is likeliest the start of events: one that no other field follows long after. */
export function likeliestStart(dated: readonly Column[]): Column | undefined {
  const isLongBefore = (column: Column) =>
    dated.some((other) => other !== column && precedes(column, other, LONG_BEFORE));
  return dated.find((column) => !isLongBefore(column)) ?? dated[0];
}

/** Returns whether the dates of a field are before those of another, in most records and by a number of days on average. */
export function precedes(earlier: Column, later: Column, leastDays: number): boolean {
  const [first, last] = [datesOf(earlier), datesOf(later)];
  if (first === undefined || last === undefined) return false;
  const days = daysBetween(first, last);
  const mean = days.reduce((sum, one) => sum + one, 0) / days.length;
  return mean >= leastDays && days.filter((one) => one >= 0).length >= days.length * MOST;
}
