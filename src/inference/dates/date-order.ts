import { weekdayOf } from '../../core/dates/calendar-names.ts';
import type { Column } from '../columns.ts';
import { match, phrases } from '../names.ts';
import { type DateColumn, datesOf, decideOrder, readDate } from './date-column.ts';
import type { DateOrder } from './written-forms.ts';

const weekdayNames = phrases(
  'weekday dayofweek wochentag jourdelasemaine diadelasemana giornodellasettimana veckodag ugedag ukedag',
  'day tag jour dia giorno dag dow weekdayname',
);

/** The fields in which events start and end. */
export interface Ends {
  start?: DateColumn;
  end?: DateColumn;
}

/** An order of the numbers in dates, and what decides it. */
export interface DecidedOrder {
  order: DateOrder;
  evidence: string;
}

/**
 * Decides the order of day and month in columns whose own values do not, from what else the feed has: its header, its other
 * dates, its weekdays, and events that would end before they start. Never from what is usual in a country.
 */
export function orderOf(dates: DateColumn, columns: readonly Column[], ends: Ends): DecidedOrder | undefined {
  return byHeader(dates) ?? byOtherColumn(dates, columns) ?? byWeekday(dates, columns) ?? byLength(dates, ends);
}

function byHeader({ column, orders }: DateColumn): DecidedOrder | undefined {
  const name = (column.names.at(-1) ?? '').toLowerCase();
  const [written] =
    /\b(?:dd?|mm?|yy(?:yy)?|jj(?:jj)?|tt?|aa(?:aa)?)[-./ ](?:dd?|mm?|tt?|jj?)[-./ ](?:yy(?:yy)?|jj(?:jj)?|aa(?:aa)?|dd?)\b/.exec(
      name,
    ) ?? [];
  if (written === undefined) return undefined;
  const order: DateOrder = /^m/.test(written)
    ? 'month first'
    : /^(yy|jjjj|aaaa)/.test(written)
      ? 'year first'
      : 'day first';
  return orders.includes(order) ? { order, evidence: `the name of the column says ${written}` } : undefined;
}

function byOtherColumn({ column, orders, formats }: DateColumn, columns: readonly Column[]): DecidedOrder | undefined {
  const separator = separatorOf(formats);
  for (const other of columns) {
    const dates = other === column ? undefined : datesOf(other);
    const [order] = dates?.orders ?? [];
    if (
      dates?.orders.length !== 1 ||
      order === undefined ||
      !orders.includes(order) ||
      separatorOf(dates.formats) !== separator
    )
      continue;
    return { order, evidence: `${other.path} has ${dates.deciding} dates that decide it` };
  }
  return undefined;
}

/** The first character between the numbers. */
function separatorOf([format = '']: readonly string[]): string {
  return /[dMy]([^dMy])/.exec(format)?.[1] ?? '';
}

function byWeekday(dates: DateColumn, columns: readonly Column[]): DecidedOrder | undefined {
  for (const column of columns) {
    if (match(column.names, weekdayNames) === 0) continue;
    const language = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv', 'da', 'nb'].find(
      (one) => column.texts.length > 0 && column.texts.every((text) => weekdayOf(text, one) !== undefined),
    );
    if (language === undefined) continue;
    const pairs = dates.column.values.flatMap((value, index) => {
      const day = weekdayOf(String(column.values[index] ?? ''), language);
      return typeof value === 'string' && day !== undefined ? [{ text: value.trim(), day }] : [];
    });
    const fitting = dates.orders.filter((order) => {
      const read = decideOrder(dates, order);
      return pairs.every(({ text, day }) => {
        const date = readDate(read, text)?.date;
        return date !== undefined && new Date(`${date}T00:00:00Z`).getUTCDay() === day;
      });
    });
    const [order] = fitting;
    if (order !== undefined && fitting.length === 1 && pairs.length > 0)
      return {
        order,
        evidence: `${column.path} has the weekday that it gives in ${pairs.length} of ${pairs.length} records`,
      };
  }
  return undefined;
}

/** An event cannot end before it starts. */
function byLength(dates: DateColumn, { start, end }: Ends): DecidedOrder | undefined {
  if (start === undefined || end === undefined || start === end || (dates !== start && dates !== end)) return undefined;
  const possible = dates.orders.filter((order) => {
    const [first, last] = [start, end].map((one) => (one.orders.length > 1 ? decideOrder(one, order) : one));
    return start.column.values.every((value, index) => {
      const [from, to] = [value, end.column.values[index]].map((text, which) => {
        const reading = which === 0 ? first : last;
        return typeof text === 'string' && reading ? readDate(reading, text.trim())?.date : undefined;
      });
      return from === undefined || to === undefined || from <= to;
    });
  });
  const [order] = possible;
  return order !== undefined && possible.length === 1
    ? { order, evidence: 'events would end before they start otherwise' }
    : undefined;
}
