import { compileDateFormat, type WrittenDate } from '../../core/dates/date-format.ts';
import type { DateOrder } from '../../core/dates/written-forms.ts';
import { inUtc, parseMoment, parseTime } from '../../mapping/time.ts';
import type { Column } from '../columns/columns.ts';

/** How the values of a column are read as dates or times. */
export interface DateColumn {
  column: Column;
  is: 'day' | 'moment' | 'time';
  /** Empty: the values need no format. */
  formats: readonly string[];
  /** BCP 47, of the names in the formats; absent: English, or none. */
  language?: string;
  /** Values that are dates, of how many. */
  fits: number;
  of: number;
  /** A value that is none. */
  misfit?: string;
  /** By the character between the numbers of dates: in which orders all of them exist. */
  orders: ReadonlyMap<string, readonly DateOrder[]>;
  /** How many values exist in one of the orders only. */
  deciding: number;
  /** What moments say of their zone; `named UTC`: a format reads the name as text. */
  zone?: 'Z' | 'named UTC' | 'offset' | 'none';
}

/** Counts which values of a column are dates. @param misfits its different values that are none */
export function counted(
  column: Column,
  misfits: readonly string[],
): Pick<DateColumn, 'column' | 'fits' | 'of' | 'misfit'> {
  const others = new Set(misfits);
  const fits = column.texts.filter((text) => !others.has(text)).length;
  const [misfit] = misfits;
  return { column, fits, of: column.texts.length, ...(misfit !== undefined && { misfit }) };
}

const readers = new Map<string, (text: string) => WrittenDate | undefined>();

/** Returns the compiled reader of a format. */
export function readerOf(format: string, language = 'en'): (text: string) => WrittenDate | undefined {
  const id = `${language} ${format}`;
  const reader = readers.get(id) ?? compileDateFormat(format, language);
  readers.set(id, reader);
  return reader;
}

/** Returns the day (YYYY-MM-DD) and time (HH:MM:SS) that a text is read as, as far as it has them. */
export function readDate({ formats, language, is }: DateColumn, text: string): WrittenDate | undefined {
  if (formats.length > 0) {
    return formats.map((format) => readerOf(format, language)(text)).find((date) => date !== undefined);
  }
  if (is === 'time') return { time: parseTime(text) };
  const moment = parseMoment(text, inUtc);
  return moment && (moment.is === 'day' ? { date: moment.date } : moment.written);
}
