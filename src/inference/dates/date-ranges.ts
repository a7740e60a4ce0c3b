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

const known = new WeakMap<Column, ReturnType<typeof readRanges>>();

/** Reads a column as ranges of dates or times; undefined if the share of values that are ranges is lower than `leastShare`. */
export function rangeOf(column: Column, leastShare = LEAST_SHARE): DateRange | undefined {
  const read = known.get(column) ?? readRanges(column);
  known.set(column, read);
  return read.count >= column.filled * leastShare ? read.range : undefined;
}

/** Splits each value once, and counts the values that are ranges. */
function readRanges(column: Column): { count: number; range?: DateRange } {
  if (column.isList) return { count: 0 };
  const parts = column.values.map((value) =>
    typeof value === 'string' && value.trim() !== '' ? splitRange(value) : [],
  );
  const count = parts.filter(({ length }) => length === 2).length;
  if (count === 0) return { count };
  const [first, last] = [datesOf(part(column, parts, 0)), datesOf(part(column, parts, -1))];
  if (first === undefined || last === undefined) return { count };
  // "1 May 2027 19:00 – 21:00": the end is a time of the same day.
  const isTimeOfDay = first.is === 'moment' && last.is === 'time' && count === column.filled;
  return first.is === last.is || isTimeOfDay ? { count, range: { first, last } } : { count };
}

/** Writes the path of a column for a Liquid template. */
export function liquidPath({ path, names }: Column): string {
  const [first = ''] = names;
  return /^[A-Za-z_][\w-]*$/.test(first) ? path : `["${first}"]${path.slice(first.length)}`;
}

function part(column: Column, parts: ReadonlyArray<readonly string[]>, index: number): Column {
  const values = parts.map((one) => one.at(index));
  return { ...column, values, texts: values.filter((text) => text !== undefined) };
}
