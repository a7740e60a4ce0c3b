import { plainWriting } from '../../core/dates/plain-writing.ts';
import { type DateOrder, type WrittenForm, writtenForms } from '../../core/dates/written-forms.ts';
import { parseTime } from '../../mapping/time.ts';
import type { Column } from '../columns/columns.ts';
import { counted, type DateColumn, readerOf } from './date-column.ts';

/** Least share of dates in a column; with fewer dates, the column is text. */
const LEAST_SHARE = 0.6;
/** Number of formats of a column; values in rarer formats are misfits. */
const MAX_FORMATS = 10;
/** Number of different years from which on an order may be wrong. */
const LEAST_YEARS = 5;

interface ReadText {
  text: string;
  forms: WrittenForm[];
}

type Orders = DateColumn['orders'];

/**
 * Reads a column as dates or times in formats. Returns undefined if too few values are dates or times.
 * @param texts the different values of the column
 * @param decided separator → orders that other data has decided
 */
export function readWritten(
  column: Column,
  texts: readonly string[],
  decided: Orders = new Map(),
): DateColumn | undefined {
  const read = texts.map((text): ReadText => ({ text, forms: existingForms(text) }));
  const dated = read.filter(({ forms }) => forms.length > 0);
  const isTime = dated.filter(({ forms }) => forms[0]?.is === 'time').length > dated.length / 2;
  const ofKind = dated.filter(({ forms }) => (forms[0]?.is === 'time') === isTime);
  const language = languageOf(ofKind);
  const used = ofKind.filter(({ forms }) => forms.some(({ languages }) => !languages || languages.includes(language)));
  const orders = new Map([...ordersOf(used), ...decided]);
  const formats = formatsOf(used, orders, language).slice(0, MAX_FORMATS);
  const isKept = ({ format }: WrittenForm) => formats.some((kept) => kept.format === format);
  const isUsed = new Set(used.flatMap(({ text, forms }) => (forms.some(isKept) ? [text] : [])));
  if (!isMostly(column, isUsed)) return undefined;
  const isMoment = formats.some(({ is }) => is === 'moment');
  const isThai = !isTime && used.length > 0 && used.every(isInThaiYear);
  const needsNone = isTime && used.every(({ text }) => parseTime(text) !== undefined);
  return {
    ...counted(
      column,
      texts.filter((text) => !isUsed.has(text)),
    ),
    is: isTime ? 'time' : isMoment ? 'moment' : 'day',
    formats: needsNone ? [] : formats.map(({ format }) => format),
    ...((isThai || language !== 'en') && { language: isThai ? 'th' : language }),
    orders,
    deciding: used.filter(({ forms }) => forms.length === 1 && forms[0]?.order !== undefined).length,
    ...(isMoment && { zone: zoneIn(formats) }),
  };
}

/** Whether the year of a date is one of Thailand, such as 2570 for 2027. */
export function isInThaiYear({ text }: Pick<ReadText, 'text'>): boolean {
  return /(?<!\d)25[5-9]\d(?!\d)/.test(plainWriting(text));
}

/** Whether most values of a column are among the given texts. */
export function isMostly({ texts }: Column, among: ReadonlySet<string>): boolean {
  return among.size > 0 && texts.filter((text) => among.has(text)).length >= texts.length * LEAST_SHARE;
}

/** Returns the forms in which a text is a day or time that exists. */
export function existingForms(text: string): WrittenForm[] {
  return writtenForms(text).filter(({ format, languages }) => readerOf(format, languages?.[0])(text) !== undefined);
}

/** Returns the language that knows the names in most texts, because a rule has only one language. */
function languageOf(texts: readonly ReadText[]): string {
  const counts = new Map<string, number>();
  for (const { forms } of texts) {
    for (const language of forms[0]?.languages ?? []) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? 'en';
}

function ordersOf(texts: readonly ReadText[]): Orders {
  const bySeparator = Map.groupBy(texts, ({ forms }) => forms[0]?.separator);
  const numbers = [...bySeparator].flatMap(([separator, group]) =>
    separator === undefined ? [] : [[separator, group] as const],
  );
  return new Map(numbers.map(([separator, group]) => [separator, possibleOrders(group)]));
}

/** Returns the orders in which all values exist; if there is no such order, returns all orders that occur. */
function possibleOrders(texts: readonly ReadText[]): DateOrder[] {
  const all = [...new Set(texts.flatMap(({ forms }) => forms.flatMap(({ order }) => order ?? [])))];
  const possible = all.filter((order) => texts.every(({ forms }) => forms.some((form) => form.order === order)));
  if (possible.length === 0) return all;
  const spans = possible.map((order) => ({ order, years: yearsIn(texts, order) }));
  const fewest = Math.min(...spans.map(({ years }) => years));
  // Events are within a few years. In a wrong order, days of the month are read as years, so there are many different years.
  const likely = spans.filter(({ years }) => years < LEAST_YEARS || fewest * 3 > years);
  return likely.map(({ order }) => order);
}

/** Returns the number of different years if the dates are in this order. */
function yearsIn(texts: readonly ReadText[], order: DateOrder): number {
  const years = texts.flatMap(({ text, forms }) => {
    const form = forms.find((one) => one.order === order);
    return form ? [readerOf(form.format, form.languages?.[0])(text)?.date?.slice(0, 4)] : [];
  });
  return new Set(years).size;
}

/** Returns the formats that read the texts, the most frequent first. */
function formatsOf(texts: readonly ReadText[], orders: Orders, language: string): WrittenForm[] {
  const counts = new Map<string, { form: WrittenForm; count: number }>();
  for (const { forms } of texts) {
    for (const form of forms) {
      const { separator, order, languages } = form;
      if (languages && !languages.includes(language)) continue;
      if (separator !== undefined && order !== undefined && !orders.get(separator)?.includes(order)) continue;
      const known = counts.get(form.format) ?? { form, count: 0 };
      known.count += 1;
      counts.set(form.format, known);
    }
  }
  const found = [...counts.values()];
  const hasFourDigits = found.some(({ form }) => form.format === 'HHmm');
  return found
    .filter(
      ({ form, count }) => (count > 1 || !form.isOdd || texts.length === 1) && (form.format !== 'Hmm' || hasFourDigits),
    )
    .toSorted((a, b) => b.count - a.count)
    .map(({ form }) => form);
}

function zoneIn(formats: readonly WrittenForm[]): DateColumn['zone'] {
  if (formats.every(({ format }) => format.endsWith('XXX'))) return 'offset';
  return formats.every(({ format }) => /'(UTC|GMT)'$/.test(format)) ? 'named UTC' : 'none';
}
