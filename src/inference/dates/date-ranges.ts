import { splitRange } from '../../core/dates/ranges.ts';
import type { Column } from '../columns/columns.ts';
import type { DateColumn } from './date-column.ts';

/** Longest text that may be a range of dates. */
const LONGEST = 120;

/**
 * Reads a column as ranges of dates or times, such as `19:00 - 21:00`; values that are no ranges count for both ends. Returns the
 * first ends, with the last ones as `last`; undefined if no value is a range.
 * @param read reads the ends as dates
 */
export function readRanges(column: Column, read: (part: Column) => DateColumn | undefined): DateColumn | undefined {
  if (column.isList) return undefined;
  const ends = column.values.map((value) =>
    typeof value === 'string' && value.length <= LONGEST && /\p{Nd}/u.test(value) ? splitRange(value) : [value],
  );
  const count = ends.filter(({ length }) => length === 2).length;
  if (count === 0) return undefined;
  const [first, last] = [read(part(column, ends, 0)), read(part(column, ends, -1))];
  if (first === undefined || last === undefined) return undefined;
  // "1 May 2027 19:00 – 21:00": the end is a time of the same day.
  const isTimeOfDay = first.is === 'moment' && last.is === 'time' && count === column.filled;
  if (first.is !== last.is && !isTimeOfDay) return undefined;
  return { ...first, range: 'first', last: { ...last, range: 'last' } };
}

/** Writes the path of a column for a Liquid template. */
export function liquidPath({ path, names }: Column): string {
  const [first = ''] = names;
  const quote = first.includes('"') ? "'" : '"';
  return /^[A-Za-z_][\w-]*$/.test(first) ? path : `[${quote}${first}${quote}]${path.slice(first.length)}`;
}

function part(column: Column, ends: ReadonlyArray<readonly unknown[]>, index: number): Column {
  const values = ends.map((one) => one.at(index));
  const texts = values.flatMap((value) =>
    typeof value === 'string' && value.trim() !== '' && !column.placeholders.includes(value.trim())
      ? [value.trim()]
      : [],
  );
  return { ...column, values, texts, whole: column };
}
