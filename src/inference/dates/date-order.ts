import { languages, weekdayOf } from '../../core/dates/calendar-names.ts';
import type { DateOrder } from '../../core/dates/written-forms.ts';
import type { Column } from '../columns/columns.ts';
import { nameScore, phrases } from '../columns/names.ts';
import { type DateColumn, readDate } from './date-column.ts';
import { datesOf, decideOrder } from './read-column.ts';

const weekdayNames = phrases(
  'weekday dayofweek wochentag jourdelasemaine diadelasemana giornodellasettimana veckodag ugedag ukedag',
  'day tag jour dia giorno dag dow weekdayname data datum date',
);

/** The fields in which events start and end. */
export interface Ends {
  start?: DateColumn;
  end?: DateColumn;
}

/** Dates of a column whose values do not decide the order of the numbers. */
interface OpenDates {
  dates: DateColumn;
  separator: string;
  orders: readonly DateOrder[];
}

/** An order of the numbers in dates, and the evidence that decides it. */
export interface DecidedOrder {
  order: DateOrder;
  evidence: string;
}

/**
 * Decides the order of day and month in a column if its values do not. Uses other data of the feed: the header, other dates,
 * weekdays, and events that would end before they start. Never uses what is usual in a country.
 */
export function orderOf(open: OpenDates, columns: readonly Column[], ends: Ends): DecidedOrder | undefined {
  return byHeader(open) ?? byOtherColumn(open, columns) ?? byWeekday(open, columns) ?? byLength(open, ends);
}

const writtenOrder = /\b(dd?|mm?|yy(?:yy)?|jj(?:jj)?|tt?|aa(?:aa)?)[-./ ](?:dd?|mm?|tt?|jj?)[-./ ](?:yy|jj|aa|dd?|tt?)/;

function byHeader({ dates: { column }, orders }: OpenDates): DecidedOrder | undefined {
  const [written, first = ''] = writtenOrder.exec((column.names.at(-1) ?? '').toLowerCase()) ?? [];
  if (written === undefined) return undefined;
  const isYear = /^(yy|jjjj|aa)/.test(first);
  const order: DateOrder = first.startsWith('m') ? 'month first' : isYear ? 'year first' : 'day first';
  return orders.includes(order) ? { order, evidence: `the name of the column says ${written}` } : undefined;
}

function byOtherColumn({ dates, separator, orders }: OpenDates, columns: readonly Column[]): DecidedOrder | undefined {
  for (const column of columns) {
    const other = column === dates.column ? undefined : datesOf(column);
    const [order, ...others] = other?.orders.get(separator) ?? [];
    if (other === undefined || order === undefined || others.length > 0 || !orders.includes(order)) continue;
    return { order, evidence: `${column.path} has ${other.deciding} dates that decide it` };
  }
  return undefined;
}

function byWeekday({ dates, separator, orders }: OpenDates, columns: readonly Column[]): DecidedOrder | undefined {
  for (const column of columns) {
    const language = nameScore(column.names, weekdayNames) > 0 ? languageOf(column) : undefined;
    if (language === undefined) continue;
    const pairs = dates.column.values.flatMap((value, index) => {
      const day = weekdayOf(String(column.values[index] ?? ''), language);
      return typeof value === 'string' && day !== undefined ? [{ text: value.trim(), day }] : [];
    });
    const [order, ...others] = orders.filter((one) => {
      const read = decideOrder(dates, separator, one);
      return pairs.every(({ text, day }) => weekdayAt(readDate(read, text)?.date) === day);
    });
    if (order === undefined || others.length > 0 || pairs.length === 0) continue;
    return { order, evidence: `${column.path} has the weekday that it gives in ${pairs.length} records` };
  }
  return undefined;
}

/** Returns the language in which all values of a column are weekdays. */
function languageOf({ texts }: Column): string | undefined {
  const isWeekday = (language: string) => texts.every((text) => weekdayOf(text, language) !== undefined);
  return texts.length === 0 ? undefined : languages.find(isWeekday);
}

function weekdayAt(date: string | undefined): number | undefined {
  return date === undefined ? undefined : new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** Decides the order by the rule that an event cannot end before it starts. */
function byLength({ dates, separator, orders }: OpenDates, { start, end }: Ends): DecidedOrder | undefined {
  if (start === undefined || end === undefined || start === end) return undefined;
  if (dates.column !== start.column && dates.column !== end.column) return undefined;
  const [order, ...others] = orders.filter((one) => {
    const [first, last] = [start, end].map((each) =>
      each.orders.has(separator) ? decideOrder(each, separator, one) : each,
    );
    return start.column.values.every((value, index) => {
      const [from, to] = [dayOf(first, value), dayOf(last, end.column.values[index])];
      return from === undefined || to === undefined || from <= to;
    });
  });
  if (order === undefined || others.length > 0) return undefined;
  return { order, evidence: 'events would end before they start otherwise' };
}

function dayOf(dates: DateColumn | undefined, value: unknown): string | undefined {
  return dates && typeof value === 'string' ? readDate(dates, value.trim())?.date : undefined;
}
