import { candidates, choose } from '../columns/choose.ts';
import type { Column } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { phrases } from '../columns/names.ts';
import { liquidPath, rangeOf } from '../dates/date-ranges.ts';
import { datesOf } from '../dates/read-column.ts';
import { type SettledDates, settleOrder } from '../dates/settle-order.ts';
import { dateRule } from '../fields/rules.ts';
import type { Answers } from '../proposal.ts';
import { timeFit } from './pick-times.ts';
import type { TimeRule } from './time-rule.ts';

/** Reads the start and end of events from one field with both: `1 May – 3 May 2027`; undefined if there is none. */
export function fromRange(columns: readonly Column[], answers: Answers): TimeRule[] | undefined {
  const fits = (column: Column) => (['day', 'moment'].includes(rangeOf(column)?.first.is ?? '') ? 1 : 0);
  const column = candidates(columns, { names: eventNames.start, fits })[0]?.column;
  const range = column && rangeOf(column);
  if (column === undefined || range === undefined) return undefined;
  const ends = { start: range.first, end: range.last };
  const [first, last] = [range.first, range.last].map((dates) => settleOrder(dates, columns, ends, answers));
  if (first === undefined || last === undefined) return undefined;
  const attribute = last.dates.is === 'moment' ? 'end' : 'endDate';
  return [
    { attribute: 'start', ...ruleOf(first, 'first'), reads: [column] },
    { attribute, ...ruleOf(last, 'last'), reads: [column] },
  ];
}

function ruleOf({ dates, why, question }: SettledDates, range: 'first' | 'last'): Pick<TimeRule, 'rule' | 'question'> {
  return { rule: dateRule(dates, { field: dates.column.path, range }, why), ...(question && { question }) };
}

const parts = {
  year: phrases('year jahr annee ano anno jaar ar'),
  month: phrases('month monat mois mes mese maand manad'),
  day: phrases('day tag jour dia giorno dag dayofmonth'),
};

/** Reads the start of events from three fields: year, month and day. Empty if they do not have them. */
export function fromParts(columns: readonly Column[]): TimeRule[] {
  const within = (least: number, most: number) => (column: Column) =>
    column.texts.every((text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) ? 1 : 0;
  const chosen = choose<keyof typeof parts>(columns, {
    year: { names: parts.year, fits: within(1990, 2100) },
    month: { names: parts.month, fits: within(1, 12) },
    day: { names: parts.day, fits: within(1, 31) },
  });
  const reads = (['year', 'month', 'day'] as const).flatMap((name) => chosen.get(name)?.column ?? []);
  if (reads.length < 3) return [];
  const template = reads.map((column) => `{{ ${liquidPath(column)} }}`).join('-');
  const evidence = 'year, month and day have fields of their own';
  const time = candidates(columns, { names: eventNames.startTime, fits: timeFit })[0]?.column;
  const dates = time && datesOf(time);
  return [
    { attribute: 'start', rule: { value: { template, format: 'yyyy-M-d' }, evidence }, reads },
    ...(time && dates ? [{ attribute: 'time.start', rule: dateRule(dates), reads: [time] }] : []),
  ];
}
