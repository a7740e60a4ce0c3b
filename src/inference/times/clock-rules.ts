import { type Column, fieldOf } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { nameScore } from '../columns/names.ts';
import type { CountedText, DateColumn } from '../dates/date-column.ts';
import { datesByValues, datesOf } from '../dates/read-column.ts';
import { dateRule } from '../fields/rules.ts';
import type { TimeRule } from './time-rule.ts';

/** Proposes the rules of a time of day; also that of its end, if the field has ranges and no other field has the end. */
export function clockRules(startTime: Column, hasEnd: boolean): TimeRule[] {
  const last = hasEnd ? undefined : clockTimes(startTime)?.last;
  return [...clockRule('time.start', startTime), ...(last ? [ruleOf('time.end', last)] : [])];
}

/** Proposes the rule of a start or end that is a time of day; empty if the field has none. */
export function clockRule(attribute: string, column: Column): TimeRule[] {
  const dates = clockTimes(column);
  return dates ? [{ ...ruleOf(attribute, dates), dates }] : [];
}

/** Writes the rule of an attribute that takes these dates or times. */
export function ruleOf(attribute: string, dates: DateColumn): TimeRule {
  return { attribute, rule: dateRule(dates), reads: [fieldOf(dates.column)] };
}

/** Reads times of day, also of a field that is named as an id, if a person has chosen it. */
function clockTimes(column: Column): DateColumn | undefined {
  const dates = datesOf(column) ?? datesByValues(column);
  return dates && { ...withoutAllDay(dates), ...(dates.last && { last: withoutAllDay(dates.last) }) };
}

/** Takes words such as `ganztägig` for the absence of a time. */
function withoutAllDay(dates: DateColumn): DateColumn {
  const isAllDay = ({ text }: CountedText) => nameScore([text], eventNames.allDay) > 0;
  const words = dates.misfits.filter(isAllDay).map(({ text }) => text);
  if (words.length === 0) return dates;
  const column = { ...dates.column, placeholders: [...dates.column.placeholders, ...words] };
  const misfits = dates.misfits.filter((misfit) => !isAllDay(misfit));
  return { ...dates, column: { ...column, whole: fieldOf(dates.column) }, misfits };
}
