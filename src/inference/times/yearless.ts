import { splitRange } from '../../core/dates/ranges.ts';
import { candidates } from '../columns/choose.ts';
import type { Column } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { type DateColumn, readerOf } from '../dates/date-column.ts';
import { datesByValues } from '../dates/read-column.ts';
import { existingForms } from '../dates/read-written.ts';
import { settleOrder } from '../dates/settle-order.ts';
import { dateRule } from '../fields/rules.ts';
import type { Answers } from '../proposal.ts';
import { clockRules } from './clock-rules.ts';
import { timeFit } from './pick-times.ts';
import type { TimeRule } from './time-rule.ts';

/** A year in which all days exist. */
const LEAP_YEAR = 2028;

/**
 * Reads the start of events from a field with dates that have no year. Returns undefined if no field has such dates, and no rules if
 * no person has said in which year they are.
 * @param given the year, or the first of the twelve months that the dates are in
 */
export function fromYearless(
  columns: readonly Column[],
  given: string | undefined,
  answers: Answers,
): { column: Column; rules: TimeRule[] } | undefined {
  for (const { column } of candidates(columns, { names: eventNames.start, fits: () => 1 })) {
    const years = given === undefined ? [] : [Number(given.slice(0, 4)), Number(given.slice(0, 4)) + 1];
    const all = [LEAP_YEAR, ...years, LEAP_YEAR - 1, LEAP_YEAR - 2, LEAP_YEAR - 3, LEAP_YEAR - 4, LEAP_YEAR - 5];
    const dated = column.texts.filter((text) => daysIn(text, all).length > 0);
    if (dated.length < column.texts.length / 2 || dated.length === 0) continue;
    if (given === undefined) return { column, rules: [] };
    const read = datesByValues(withYear(column, given));
    if (read === undefined || read.is === 'time') continue;
    const { dates, why, question } = settleOrder(read, answers);
    const reason = why ?? `in ${given}, as you said`;
    const ruleOf = (attribute: string, all: DateColumn): TimeRule => {
      const formats = new Set(all.formats.map((format) => withoutYear(format, column)));
      const { value, evidence } = dateRule({ ...all, column, formats: [...formats] }, column.path, reason);
      const keys = typeof value === 'string' ? { field: value } : value;
      return { attribute, rule: { value: { ...keys, year: given }, evidence }, reads: [column] };
    };
    const start = { ...ruleOf('start', dates), dates, ...(question && { question }) };
    const ends = dates.last?.is === 'day' ? [ruleOf('endDate', dates.last)] : [];
    return { column, rules: [start, ...ends, ...namedClock(columns)] };
  }
  return undefined;
}

/** Dates without a year: `5. Dezember`, `Dec 5`, `5.12.`. */
const yearlessDates = [
  /\d{1,2}(?:st|nd|rd|th|er|\.)?\s(?:de\s)?\p{L}{3,20}\.?/u,
  /\p{L}{3,20}\.?\s\d{1,2}(?:st|nd|rd|th)?(?![\d:.])/u,
  /\d{1,2}([./-])\d{1,2}(?:[./-](?!\d))?/,
];

/** Writes a year after a date: "Sat 5 Dec, 7 pm" becomes "Sat 5 Dec 2027, 7 pm", "12.3." becomes "12.3.2027". */
function addYear(text: string, year: number): string {
  const match = yearlessDates.map((pattern) => pattern.exec(text)).find((found) => found !== null);
  if (!match) return text;
  const [date, numeric] = match;
  const separator = numeric === undefined ? ' ' : /\d$/.test(date) ? numeric : '';
  const end = match.index + date.length;
  return `${text.slice(0, end)}${separator}${year}${text.slice(end)}`;
}

/** Removes the year from a format, with the sign before it unless the dates have it: "12.3.". */
function withoutYear(format: string, { texts }: Column): string {
  const hasSign = texts.some((text) => /\d([./-])\d{1,2}\1(?!\d)/.test(text));
  return format.replace(hasSign ? / ?yyyy/ : /[ ./-]?yyyy/, '');
}

/** Returns the days (ISO) that a text is in these years; its weekday excludes years. */
function daysIn(text: string, years: readonly number[]): string[] {
  return years.flatMap((year) => {
    const written = addYear(text, year);
    const [form] = existingForms(written);
    const date = form && readerOf(form.format, form.languages?.[0])(written)?.date;
    return date === undefined ? [] : [date];
  });
}

/** Writes each date with the year that it is in. */
function withYear(column: Column, known: string): Column {
  const year = Number(known.slice(0, 4));
  const from = known.length > 4 ? `${known}-01` : `${known}-01-01`;
  const add = (text: string) => {
    const day = daysIn(splitRange(text).at(-1) ?? text, [year, year + 1]).find((one) => one >= from);
    return addYear(text, Number(day?.slice(0, 4) ?? year));
  };
  const values = column.values.map((value) =>
    typeof value === 'string' && value.trim() !== '' ? add(value.trim()) : undefined,
  );
  return { ...column, values, texts: values.filter((value) => value !== undefined) };
}

/** Returns rules for a time of day that is named as the start. */
function namedClock(columns: readonly Column[]): TimeRule[] {
  const column = candidates(columns, { names: eventNames.startTime, fits: timeFit })[0]?.column;
  return column ? clockRules(column, false) : [];
}
