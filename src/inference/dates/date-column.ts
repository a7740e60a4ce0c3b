import { compileDateFormat, type WrittenDate } from '../../core/dates/date-format.ts';
import { parseMoment, parseTime } from '../../mapping/time.ts';
import type { Column } from '../columns.ts';
import { type DateOrder, type WrittenForm, writtenForms } from './written-forms.ts';

/** How the values of a column are read as dates or times. */
export interface DateColumn {
  column: Column;
  is: 'day' | 'moment' | 'time';
  /** Empty: the values need no format. */
  formats: readonly string[];
  language?: string;
  /** Values that are dates, of how many. */
  fits: number;
  of: number;
  /** A value that is none. */
  misfit?: string;
  /** Orders of numbers in which all values exist; empty: the order is not in question. */
  orders: readonly DateOrder[];
  /** How many values exist in one of the orders only. */
  deciding: number;
  /** What moments say of their zone; `named UTC`: a format reads the name as text. */
  zone?: 'Z' | 'named UTC' | 'offset' | 'none';
}

/** More different values decide no better. */
const MAX_TEXTS = 2000;
/** A column with fewer dates is text. */
const LEAST_SHARE = 0.6;
const MAX_FORMATS = 6;
/** Fewer years are no sign of a wrong order. */
const LEAST_YEARS = 5;
const inUtc = { siteTimezone: 'UTC', sourceTimezone: 'UTC' };
const OLDEST_MS = Date.UTC(1990, 0);
const NEWEST_MS = Date.UTC(2100, 0);

const known = new WeakMap<Column, { dates?: DateColumn }>();

/** Reads a column as dates or times, once; undefined if too few of its values are. */
export function datesOf(column: Column): DateColumn | undefined {
  const read = known.get(column) ?? { dates: readDateColumn(column) };
  known.set(column, read);
  return read.dates;
}

function readDateColumn(column: Column): DateColumn | undefined {
  if (column.isList && column.texts.length > column.filled) return undefined;
  const texts = [...new Set(column.texts)].slice(0, MAX_TEXTS);
  if (texts.length === 0) return undefined;
  return readIso(column, texts) ?? readEpoch(column, texts) ?? readWritten(column, texts);
}

/** Narrows the orders of a column to one that other data has decided. */
export function decideOrder(dates: DateColumn, order: DateOrder): DateColumn {
  const texts = [...new Set(dates.column.texts)].slice(0, MAX_TEXTS);
  return readWritten(dates.column, texts, [order]) ?? dates;
}

function readIso(column: Column, texts: readonly string[]): DateColumn | undefined {
  const readable = texts.filter((text) => parseMoment(text, inUtc) !== undefined);
  const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);
  const moments = readable.filter((text) => !isDay(text));
  const times = texts.filter((text) => parseTime(text) !== undefined);
  const read = times.length > readable.length ? times : readable;
  if (read.length < texts.length * LEAST_SHARE) return undefined;
  const isRead = new Set(read);
  const others = texts.filter((text) => !isRead.has(text));
  // Other values may be dates in a format.
  if (others.some((text) => existing(text).length > 0)) return undefined;
  const is = read === times ? 'time' : moments.length > 0 ? 'moment' : 'day';
  return { ...counted(column, read, others), is, formats: [], orders: [], deciding: 0, ...zoneOf(moments) };
}

function zoneOf(moments: readonly string[]): Pick<DateColumn, 'zone'> {
  if (moments.length === 0) return {};
  if (moments.some((text) => /[+-]\d{2}(:?\d{2})?(\[|$)/.test(text.slice(11)))) return { zone: 'offset' };
  return { zone: moments.some((text) => /z$/i.test(text)) ? 'Z' : 'none' };
}

function readEpoch(column: Column, texts: readonly string[]): DateColumn | undefined {
  const unit = texts.every((text) => /^\d{9,10}(\.\d+)?$/.test(text))
    ? 1000
    : texts.every((text) => /^\d{12,13}$/.test(text))
      ? 1
      : undefined;
  if (unit === undefined) return undefined;
  const isDate = (text: string) => Number(text) * unit > OLDEST_MS && Number(text) * unit < NEWEST_MS;
  if (!texts.every(isDate)) return undefined;
  const format = unit === 1 ? 'unix-ms' : 'unix';
  return { ...counted(column, texts, []), is: 'moment', formats: [format], orders: [], deciding: 0, zone: 'Z' };
}

interface ReadText {
  text: string;
  forms: WrittenForm[];
}

function readWritten(column: Column, texts: readonly string[], allowed?: readonly DateOrder[]): DateColumn | undefined {
  const read = texts.map((text): ReadText => ({ text, forms: existing(text) })).filter(({ forms }) => forms.length > 0);
  if (read.length < texts.length * LEAST_SHARE) return undefined;
  const isTime = read.filter(({ forms }) => forms[0]?.is === 'time').length > read.length / 2;
  const used = read.filter(({ forms }) => (forms[0]?.is === 'time') === isTime);
  const numbers = used.filter(({ forms }) => forms.some(({ order }) => order !== undefined));
  const orders = numbers.length === 0 ? [] : (allowed ?? ordersOf(numbers));
  const formats = formatsOf(used, orders);
  const [language, ...others] = new Set(formats.flatMap((form) => form.language ?? []));
  // A rule has one language.
  if (formats.length === 0 || formats.length > MAX_FORMATS || others.length > 0) return undefined;
  const isUsed = new Set(used.map(({ text }) => text));
  const isMoment = formats.some(({ is }) => is === 'moment');
  const needsNone = isTime && used.every(({ text }) => parseTime(text) !== undefined);
  return {
    ...counted(
      column,
      used.map(({ text }) => text),
      texts.filter((text) => !isUsed.has(text)),
    ),
    is: isTime ? 'time' : isMoment ? 'moment' : 'day',
    formats: needsNone ? [] : formats.map(({ format }) => format),
    ...(language !== undefined && { language }),
    orders,
    deciding: numbers.filter(({ forms }) => forms.length === 1).length,
    ...(isMoment && { zone: zoneIn(formats) }),
  };
}

function zoneIn(formats: readonly WrittenForm[]): DateColumn['zone'] {
  if (formats.every(({ format }) => format.endsWith('XXX'))) return 'offset';
  return formats.every(({ format }) => /'(UTC|GMT)'$/.test(format)) ? 'named UTC' : 'none';
}

/** The orders in which all values exist; all that occur if none fits all. */
function ordersOf(texts: readonly ReadText[]): DateOrder[] {
  const all = [...new Set(texts.flatMap(({ forms }) => forms.flatMap(({ order }) => order ?? [])))];
  const possible = all.filter((order) =>
    texts.every(({ forms }) => forms.some((form) => form.order === order || form.order === undefined)),
  );
  if (possible.length === 0) return all;
  const spans = possible.map((order) => ({ order, years: yearsIn(texts, order) }));
  const fewest = Math.min(...spans.map(({ years }) => years));
  // Events are of a few years: in the wrong place, the days of a month would be as many years.
  const likely = spans.filter(({ years }) => years < LEAST_YEARS || fewest * 3 > years);
  return likely.map(({ order }) => order);
}

/** How many different years the dates are in, if they are in this order. */
function yearsIn(texts: readonly ReadText[], order: DateOrder): number {
  const years = texts.flatMap(({ text, forms }) => {
    const form = forms.find((one) => one.order === order);
    return form ? [readerOf(form.format, form.language)(text)?.date?.slice(0, 4)] : [];
  });
  return new Set(years).size;
}

/** The formats that read the texts, the most frequent first. */
function formatsOf(texts: readonly ReadText[], orders: readonly DateOrder[]): WrittenForm[] {
  const counts = new Map<string, { form: WrittenForm; count: number }>();
  for (const { forms } of texts) {
    for (const form of forms) {
      if (form.order !== undefined && !orders.includes(form.order)) continue;
      const known = counts.get(form.format) ?? { form, count: 0 };
      known.count += 1;
      counts.set(form.format, known);
    }
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count).map(({ form }) => form);
}

/** The forms of a text in which it is a day that exists. */
function existing(text: string): WrittenForm[] {
  return writtenForms(text).filter(({ format, language }) => readerOf(format, language)(text) !== undefined);
}

const readers = new Map<string, (text: string) => WrittenDate | undefined>();

function readerOf(format: string, language = 'en') {
  const id = `${language} ${format}`;
  const reader = readers.get(id) ?? compileDateFormat(format, language);
  readers.set(id, reader);
  return reader;
}

/** Returns the first day (YYYY-MM-DD) or time (HH:MM:SS) that a text is read as; a moment as both. */
export function readDate(
  { formats, language, is }: DateColumn,
  text: string,
): { date?: string; time?: string } | undefined {
  if (is === 'time' && formats.length === 0) return { time: parseTime(text) };
  if (formats.length === 0) {
    const moment = parseMoment(text, inUtc);
    return moment && (moment.is === 'day' ? { date: moment.date } : moment.written);
  }
  return formats.map((format) => readerOf(format, language)(text)).find((date) => date !== undefined);
}

function counted(column: Column, read: readonly string[], misfits: readonly string[]) {
  const set = new Set(misfits);
  const misfit = column.texts.find((text) => set.has(text));
  const fits = column.texts.filter((text) => !set.has(text)).length;
  return {
    column,
    fits: read.length === 0 ? 0 : fits,
    of: column.texts.length,
    ...(misfit !== undefined && { misfit }),
  };
}
