import { splitRange } from '../../core/dates/ranges.ts';
import type { Column } from '../columns/columns.ts';
import type { DateColumn } from './date-column.ts';
import { datesOf } from './read-column.ts';

/** The dates or times in a column of ranges: `19:00 - 21:00`. */
export interface DateRange {
  first: DateColumn;
  last: DateColumn;
}

const LEAST_SHARE = 0.3;

/** Reads a column as ranges of dates or times; undefined if fewer than this share of its values are. */
export function rangeOf(column: Column, leastShare = LEAST_SHARE): DateRange | undefined {
  if (column.isList) return undefined;
  const parts = column.values.map((value) =>
    typeof value === 'string' && value.trim() !== '' ? splitRange(value) : [],
  );
  const ranges = parts.filter(({ length }) => length === 2).length;
  if (ranges === 0 || ranges < column.filled * leastShare) return undefined;
  const [first, last] = [datesOf(part(column, parts, 0)), datesOf(part(column, parts, -1))];
  if (first === undefined || last === undefined) return undefined;
  // "1 May 2027 19:00 – 21:00": the end is a time of the same day.
  const isTimeOfDay = first.is === 'moment' && last.is === 'time' && ranges === column.filled;
  return first.is === last.is || isTimeOfDay ? { first, last } : undefined;
}

/** Writes the path of a column as Liquid reads it. */
export function liquidPath({ path, names }: Column): string {
  const [first = ''] = names;
  return /^[A-Za-z_][\w-]*$/.test(first) ? path : `["${first}"]${path.slice(first.length)}`;
}

function part(column: Column, parts: ReadonlyArray<readonly string[]>, index: number): Column {
  const values = parts.map((one) => one.at(index));
  return { ...column, values, texts: values.filter((text) => text !== undefined) };
}
