import { candidates, choose } from '../columns/choose.ts';
import { type Column, shareThat, textsOf } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { phrases } from '../columns/names.ts';
import { liquidPath } from '../dates/date-ranges.ts';
import { datesByValues, datesOf } from '../dates/read-column.ts';
import { settleOrder } from '../dates/settle-order.ts';
import { dateRule } from '../fields/rules.ts';
import type { Answers } from '../proposal.ts';
import { timeFit } from './pick-times.ts';
import type { TimeRule } from './time-rule.ts';

const parts = {
  year: phrases('year jahr annee ano anno jaar ar startyear'),
  month: phrases('month monat mois mes mese maand manad startmonth monthstart'),
  day: phrases('day tag jour dia giorno dag dayofmonth startday daystart'),
};

/** Reads the start of events from several fields: year, month and day, or a year and a date. Empty without such fields. */
export function fromParts(columns: readonly Column[], answers: Answers): TimeRule[] {
  const within = (least: number, most: number) => (column: Column) =>
    column.texts.every((text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) ? 1 : 0;
  const month = (column: Column) =>
    Math.max(
      within(1, 12)(column),
      shareThat(column, (text) => /^\p{L}/u.test(text)),
    );
  const chosen = choose<keyof typeof parts>(columns, {
    year: { names: parts.year, fits: within(1990, 2100) },
    month: { names: parts.month, fits: month },
    day: { names: parts.day, fits: within(1, 31) },
  });
  const [years, months, days] = (['year', 'month', 'day'] as const).map((name) => chosen.get(name)?.column);
  if (years === undefined) return [];
  const dates = candidates(columns, { names: eventNames.start, fits: () => 1 }).map(({ column }) => [column, years]);
  const tried = months && days ? [[years, months, days], ...dates] : dates;
  for (const reads of tried) {
    const joined = joinColumns(reads, reads[0] === years ? '-' : ' ');
    const found = datesOf(joined.column);
    if (found === undefined || found.is === 'time') continue;
    const { dates, why, question } = settleOrder(found, columns, {}, answers);
    const rule = dateRule(dates, { template: joined.template }, why);
    return [{ attribute: 'start', rule, reads, dates, ...(question && { question }) }, ...timeOf(columns)];
  }
  return [];
}

/**
 * Reads the start of events from a field with dates that have no year.
 * @param year the year that a person has given; without it, the dates are only recognised
 */
export function fromYearless(columns: readonly Column[], year: string, answers: Answers): TimeRule[] {
  for (const column of candidates(columns, { names: eventNames.start, fits: () => 1 }).map((one) => one.column)) {
    const joined = withYear(column, year);
    const found = datesByValues(joined.column);
    if (found === undefined || found.is === 'time') continue;
    const { dates, why, question } = settleOrder(found, columns, {}, answers);
    const rule = dateRule(dates, { template: joined.template }, why ?? `in ${year}, as you said`);
    return [{ attribute: 'start', rule, reads: [column], dates, ...(question && { question }) }, ...timeOf(columns)];
  }
  return [];
}

/** Adds a year to each text of a column: "12. März" becomes "12. März 2027", "12.3." becomes "12.3.2027". */
function withYear(column: Column, year: string): { column: Column; template: string } {
  const separator = separatorBeforeYear(column);
  const add = (text: string) => `${text}${separator}${year}`;
  const values = column.values.map((value) =>
    typeof value === 'string' && value.trim() !== '' ? add(value.trim()) : undefined,
  );
  const texts = values.filter((value) => value !== undefined);
  return { column: { ...column, values, texts }, template: `{{ ${liquidPath(column)} | strip }}${separator}${year}` };
}

function separatorBeforeYear({ texts }: Column): string {
  if (texts.every((text) => /[./-]$/.test(text))) return '';
  return /^\d+([./-])\d+$/.exec(texts[0] ?? '')?.[1] ?? ' ';
}

/** Joins several fields to one text. */
function joinColumns(columns: readonly Column[], separator: string): { column: Column; template: string } {
  const values = (columns[0]?.values ?? []).map((_, index) => {
    const texts = columns.map(({ values }) => textsOf(values[index])[0]);
    return texts.includes(undefined) ? undefined : texts.join(separator);
  });
  const texts = values.filter((value) => value !== undefined);
  const names = columns.flatMap((column) => column.names);
  const column = {
    path: names.join(separator),
    names,
    values,
    texts,
    filled: texts.length,
    placeholders: [],
    isList: false,
  };
  return { column, template: columns.map((one) => `{{ ${liquidPath(one)} }}`).join(separator) };
}

function timeOf(columns: readonly Column[]): TimeRule[] {
  const column = candidates(columns, { names: eventNames.startTime, fits: timeFit })[0]?.column;
  const dates = column && datesOf(column);
  return column && dates ? [{ attribute: 'time.start', rule: dateRule(dates), reads: [column] }] : [];
}
