import { candidates, choose } from '../columns/choose.ts';
import { type Column, shareThat } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { phrases } from '../columns/names.ts';
import { joinColumns } from '../dates/join-columns.ts';
import { datesOf } from '../dates/read-column.ts';
import { settleOrder } from '../dates/settle-order.ts';
import { dateRule } from '../fields/rules.ts';
import type { Answers } from '../proposal.ts';
import { clockRules } from './clock-rules.ts';
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
    return [{ attribute: 'start', rule, reads, dates, ...(question && { question }) }, ...namedClock(columns)];
  }
  return [];
}

/** Returns rules for a time of day that is named as the start. */
export function namedClock(columns: readonly Column[]): TimeRule[] {
  const column = candidates(columns, { names: eventNames.startTime, fits: timeFit })[0]?.column;
  return column ? clockRules(column, false) : [];
}
