import { candidates } from '../columns/choose.ts';
import type { Column } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { readerOf } from '../dates/date-column.ts';
import { datesByValues } from '../dates/read-column.ts';
import { existingForms } from '../dates/read-written.ts';
import { settleOrder } from '../dates/settle-order.ts';
import { dateRule } from '../fields/rules.ts';
import type { Answers } from '../proposal.ts';
import { namedClock } from './other-starts.ts';
import type { TimeRule } from './time-rule.ts';

/** A year in which all days exist. */
const LEAP_YEAR = 2028;

/**
 * Reads the start of events from a field with dates that have no year. Returns undefined if no field has such dates, and no rules if
 * neither a person nor the weekdays of the dates say in which year they are.
 * @param given the year, or the first of the twelve months that the dates are in
 */
export function fromYearless(
  columns: readonly Column[],
  given: string | undefined,
  answers: Answers,
): { column: Column; rules: TimeRule[] } | undefined {
  for (const { column } of candidates(columns, { names: eventNames.start, fits: () => 1 })) {
    const separator = separatorBeforeYear(column);
    const isDate = (text: string, years: readonly number[]) => daysIn(text, separator, years).length > 0;
    const known = given ?? byWeekdays(column, separator, yearsIn(columns));
    const years = known === undefined ? [] : [Number(known.slice(0, 4)), Number(known.slice(0, 4)) + 1];
    const all = [LEAP_YEAR, ...years, LEAP_YEAR - 1, LEAP_YEAR - 2, LEAP_YEAR - 3, LEAP_YEAR - 4, LEAP_YEAR - 5];
    const dated = column.texts.filter((text) => isDate(text, all));
    if (dated.length < column.texts.length / 2 || dated.length === 0) continue;
    if (known === undefined) return { column, rules: [] };
    const read = datesByValues(withYear(column, separator, known));
    if (read === undefined || read.is === 'time' || read.range) continue;
    const { dates, why, question } = settleOrder(read, columns, {}, answers);
    const formats = dates.formats.map((format) => format.slice(0, format.length - separator.length - 'yyyy'.length));
    const reason = why ?? (given === undefined ? `the weekdays show the year` : `in ${given}, as you said`);
    const { value, evidence } = dateRule({ ...dates, column, formats: [...new Set(formats)] }, column.path, reason);
    const rule = { value: { ...(typeof value === 'string' ? { field: value } : value), year: known }, evidence };
    const start = { attribute: 'start', rule, reads: [column], dates, ...(question && { question }) };
    return { column, rules: [start, ...namedClock(columns)] };
  }
  return undefined;
}

function separatorBeforeYear({ texts }: Column): string {
  if (texts.every((text) => /\d[./-]$/.test(text))) return '';
  return /\d([./-])\d+$/.exec(texts[0] ?? '')?.[1] ?? ' ';
}

/** Returns the days (ISO) that a text is in these years; its weekday excludes years. */
function daysIn(text: string, separator: string, years: readonly number[]): string[] {
  return years.flatMap((year) => {
    const written = `${text}${separator}${year}`;
    const [form] = existingForms(written);
    const date = form && readerOf(form.format, form.languages?.[0])(written)?.date;
    return date === undefined ? [] : [date];
  });
}

/** Returns the years that the feed mentions. */
function yearsIn(columns: readonly Column[]): number[] {
  const years = columns.flatMap(({ texts }) =>
    texts
      .slice(0, 200)
      .flatMap((text) => [...text.slice(0, 200).matchAll(/\b20\d\d\b/g)].map(([year]) => Number(year))),
  );
  if (years.length === 0) return [];
  const [first, last] = [Math.min(...years), Math.max(...years)];
  return last - first > 2 ? [] : Array.from({ length: last - first + 3 }, (_, index) => first - 1 + index);
}

/** Returns the first month of the dates, if each has a weekday that it has in one of the years only, and all are within a year. */
function byWeekdays({ texts }: Column, separator: string, years: readonly number[]): string | undefined {
  const days = [...new Set(texts)].map((text) => daysIn(text, separator, years));
  const sure = days
    .filter((found) => found.length === 1)
    .flat()
    .toSorted();
  const [first = '', last = ''] = [sure[0], sure.at(-1)];
  const isWithinYear = Date.parse(last) - Date.parse(first) < 365 * 86_400_000;
  return sure.length > 0 && sure.length >= days.length * 0.9 && isWithinYear ? first.slice(0, 7) : undefined;
}

/** Writes each date with the year that it is in: "12. März" as "12. März 2027", "12.3." as "12.3.2027". */
function withYear(column: Column, separator: string, known: string): Column {
  const year = Number(known.slice(0, 4));
  const from = known.length > 4 ? `${known}-01` : `${known}-01-01`;
  const add = (text: string) => {
    const day = daysIn(text, separator, [year, year + 1]).find((one) => one >= from);
    return `${text}${separator}${day?.slice(0, 4) ?? year}`;
  };
  const values = column.values.map((value) =>
    typeof value === 'string' && value.trim() !== '' ? add(value.trim()) : undefined,
  );
  return { ...column, values, texts: values.filter((value) => value !== undefined) };
}
