import { compileDateFormat, type WrittenDate } from '../../core/dates/date-format.ts';
import type { DateOrder } from '../../core/dates/written-forms.ts';
import { inUtc, parseMoment, parseTime } from '../../mapping/time.ts';
import type { Column } from '../columns/columns.ts';

/** A text, and the number of its records. */
export interface CountedText {
  text: string;
  count: number;
}

/** The way in which the values of a column are read as dates or times. */
export interface DateColumn {
  column: Column;
  is: 'day' | 'moment' | 'time';
  /** Formats of the values; empty if the values need no format. */
  formats: readonly string[];
  /** BCP 47 language of the names in the formats; absent for English and if there are no names. */
  language?: string;
  /** Number of values that are dates, of `of` values. */
  fits: number;
  of: number;
  /** The different values that are not dates, the most frequent first. */
  misfits: readonly CountedText[];
  /** Which end of the ranges in the field these dates are; absent if the field has no ranges. */
  range?: 'first' | 'last';
  /** The other ends, if these are the first ones. */
  last?: DateColumn;
  /** Separator between the numbers of dates → the orders of day, month and year in which all these dates exist. */
  orders: ReadonlyMap<string, readonly DateOrder[]>;
  /** Number of values that exist in only one of the orders. */
  deciding: number;
  /**
   * How moments give their zone; `named UTC`: a format reads the zone's name as text, or the field is named so and its values
   * have a format; `field named UTC`: its values need no format.
   */
  zone?: 'Z' | 'named UTC' | 'field named UTC' | 'offset' | 'none';
}

/** Counts the values of a column that are dates. @param misfits the different values that are not dates */
export function counted(
  column: Column,
  misfits: readonly string[],
): Pick<DateColumn, 'column' | 'fits' | 'of' | 'misfits'> {
  const counts = new Map(misfits.map((text) => [text, 0]));
  for (const text of column.texts) if (counts.has(text)) counts.set(text, (counts.get(text) ?? 0) + 1);
  const sorted = [...counts].map(([text, count]) => ({ text, count })).toSorted((a, b) => b.count - a.count);
  const fits = column.texts.length - sorted.reduce((sum, { count }) => sum + count, 0);
  return { column, fits, of: column.texts.length, misfits: sorted };
}

const readers = new Map<string, (text: string) => WrittenDate | undefined>();

/** Returns the compiled reader of a format. */
export function readerOf(format: string, language = 'en'): (text: string) => WrittenDate | undefined {
  const id = `${language} ${format}`;
  const reader = readers.get(id) ?? compileDateFormat(format, language);
  readers.set(id, reader);
  return reader;
}

/** Reads a text as a day (YYYY-MM-DD), a time (HH:MM:SS) or both. */
export function readDate({ formats, language, is }: DateColumn, text: string): WrittenDate | undefined {
  if (formats.length > 0) {
    return formats.map((format) => readerOf(format, language)(text)).find((date) => date !== undefined);
  }
  if (is === 'time') return { time: parseTime(text) };
  const moment = parseMoment(text, inUtc);
  return moment && (moment.is === 'day' ? { date: moment.date } : moment.written);
}
