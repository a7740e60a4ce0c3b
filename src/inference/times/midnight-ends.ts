import { DAY } from '../../core/dates/wall-time.ts';
import { type Column, fieldOf, textsOf } from '../columns/columns.ts';
import type { Corrections } from '../correct/corrections.ts';
import { type DateColumn, readDate } from '../dates/date-column.ts';
import { liquidPath } from '../dates/date-ranges.ts';
import { datesOf, decideOrder } from '../dates/read-column.ts';
import type { SettledDates } from '../dates/settle-order.ts';
import { dateRule } from '../fields/rules.ts';
import type { Question } from '../proposal.ts';
import type { TimeFields } from './pick-times.ts';
import type { TimeRule } from './time-rule.ts';

const MIDNIGHT = '00:00:00';

/** A record whose end is midnight: by how many days the end is later than the start, and whether the start is midnight, too. */
interface MidnightEnd {
  days: number;
  isWholeDays: boolean;
}

/**
 * Joins the rules of the day and the time of an end to one rule if events end at midnight of a later day, as Outlook writes
 * events of whole days: such an end belongs to the day before. If an end is midnight of the day of its start, the day is the last
 * one, whatever the time. Warns if a rule of both cannot be proposed.
 * @param pair the rules of the day and of the time
 */
export function midnightEnds(
  fields: TimeFields,
  end: SettledDates,
  pair: readonly [TimeRule, ...TimeRule[]],
  { answers, lines }: Corrections,
): readonly TimeRule[] {
  const { endTime, zone } = fields;
  const clock = endTime && datesOf(endTime);
  if (endTime === undefined || clock?.is !== 'time') return pair;
  const ends = endsAtMidnight(fields, end.dates, clock);
  const question = questionOf(end.dates.column, endTime, ends.length);
  if (ends.length === 0 || ends.some(({ days }) => days < 1) || answers[question.id] === 'last') return pair;
  const { column, template } = joinColumns([end.dates.column, endTime], ' ');
  const joined = datesOf(column);
  // `end` is converted from the zone of the source, but the time of a start that is in two fields is not.
  const isConverted = zone !== undefined || Object.hasOwn(lines, 'source.timezone');
  if (joined?.is !== 'moment' || isConverted || joined.fits < end.dates.fits) {
    const [day, ...others] = pair;
    const events = ends.length === 1 ? '1 event ends' : `${ends.length} events end`;
    const warning = `${events} at midnight (${endTime.path}) of a later day (${end.dates.column.path}), which counts as their last day. If it is the day after, read both in one rule: \`end: { template: '${template}', format: … }\`.`;
    return [{ ...day, warning }, ...others];
  }
  const dates = [...end.dates.orders].reduce(
    (read, [separator, [order, ...others]]) =>
      order === undefined || others.length > 0 ? read : decideOrder(read, separator, order),
    joined,
  );
  const { value, evidence } = dateRule(dates, { template }, end.why);
  const isAsked = answers[question.id] === undefined && ends.some(({ isWholeDays }) => isWholeDays);
  return [
    {
      attribute: 'end',
      rule: { value, evidence: `${evidence}; midnight belongs to the day before` },
      reads: [fieldOf(end.dates.column), endTime],
      dates,
      ...(isAsked && { question }),
    },
  ];
}

function endsAtMidnight({ start, startTime }: TimeFields, end: DateColumn, clock: DateColumn): MidnightEnd[] {
  const startClock = (startTime && datesOf(startTime)) ?? start.dates;
  return end.column.values.flatMap((_, index) => {
    const [first, last] = [partOf(start.dates, index)?.date, partOf(end, index)?.date];
    if (first === undefined || last === undefined || partOf(clock, index)?.time !== MIDNIGHT) return [];
    const days = (Date.parse(last) - Date.parse(first)) / DAY;
    return [{ days, isWholeDays: partOf(startClock, index)?.time === MIDNIGHT }];
  });
}

function partOf(dates: DateColumn, index: number): ReturnType<typeof readDate> {
  const value = dates.column.values[index];
  return typeof value === 'string' || typeof value === 'number' ? readDate(dates, String(value).trim()) : undefined;
}

function questionOf({ path }: Column, time: Column, count: number): Question {
  const shown = `${count} of ${time.values.length} records end at midnight of a later day than that of the start, none at midnight of its day`;
  return {
    id: `meaning of ${path}`,
    line: 'end',
    text: `Is ${path} the last day of an event, or the day after it, where ${time.path} is midnight? ${shown}.`,
    choices: [
      { value: 'after', label: 'the day after it, as in Outlook' },
      { value: 'last', label: 'the last day' },
    ],
    safe: 'after',
    comment: `Where ${time.path} is midnight, ${path} is taken for the day after the last one, as in Outlook.`,
  };
}

/** Joins several fields to one text; a record that lacks one of them has none. */
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
