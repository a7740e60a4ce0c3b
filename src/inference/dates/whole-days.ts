import type { Column } from '../columns/columns.ts';
import type { Guess, ProposedRule, Question } from '../proposal.ts';
import { type DateColumn, readDate } from './date-column.ts';
import { liquidPath } from './date-ranges.ts';

const LEAST_PAIRS = 5;
const DAY_MS = 86_400_000;

const midnight = /[T ]0?0[:.]00([:.]00(\.0+)?)?\s*(Z|[+-]00:?00)?$|[T ]12:00(:00)? ?am$/i;
const lastMinute = /[T ](?:23[:.]59\b|11:59(?::\d\d)? ?pm)/i;

/** Whether every date-time of a column is midnight, so that the column only has days. */
export function isMidnight({ texts }: Column): boolean {
  return texts.length >= 2 && texts.every((text) => midnight.test(text));
}

/** Whether every date-time of a column is the end of a day: midnight, or the last minute before it. */
export function endsDays({ texts }: Column): boolean {
  return texts.every((text) => midnight.test(text) || lastMinute.test(text) || !/[T ]\d/.test(text));
}

/**
 * Returns a question if no event ends on the day on which it starts: is the end the last day, or the day after it? Also
 * returns the rule for the second answer, which uses the day before the end.
 */
export function exclusiveEnds(
  start: DateColumn,
  end: DateColumn,
): { question: Question; rule: Guess<ProposedRule> } | undefined {
  const pairs = daysBetween(start, end);
  const nextDays = pairs.filter((days) => days === 1).length;
  if (
    pairs.length < LEAST_PAIRS ||
    pairs.some((days) => days < 1) ||
    nextDays < pairs.length / 2 ||
    end.formats.length > 0
  )
    return undefined;
  const { path } = end.column;
  const question: Question = {
    id: `meaning of ${path}`,
    line: 'end',
    text: `Is ${path} the last day of an event, or the day after it? No event ends on the day on which it starts; ${nextDays} of ${pairs.length} end on the next.`,
    choices: [
      { value: 'last', label: 'the last day' },
      { value: 'after', label: 'the day after it, as in iCalendar' },
    ],
    safe: 'last',
    comment: `No event ends on the day on which it starts: perhaps ${path} is the day after the last one, as in iCalendar.`,
  };
  const template = `{{ ${liquidPath(end.column)} | add_days: -1 }}`;
  return { question, rule: { value: { template }, evidence: `${path} is the day after the last one` } };
}

/**
 * Returns a rule that is yes for whole days in UTC, from 00:00 to 23:59 or to a later midnight, if some records have these among
 * date-times in ISO 8601. In the zone of the site, they would begin and end at odd hours.
 */
export function wholeDaysInUtc(start: Column, end: Column): Guess<ProposedRule> | undefined {
  const isUtc = (text: string) => /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]00:?00)$/i.test(text);
  if (![...start.texts, ...end.texts].every(isUtc)) return undefined;
  const count = start.values.filter((value, index) => {
    const [first, last] = [String(value), String(end.values[index])].map((text) => text.trim());
    const clock = last?.slice(11, 16);
    return first?.slice(11, 16) === '00:00' && (clock === '23:59' || (clock === '00:00' && first !== last));
  }).length;
  if (count === 0) return undefined;
  const [first, last] = [start, end].map(liquidPath);
  const template = [
    `{% assign from = ${first} | slice: 11, 5 %}{% assign to = ${last} | slice: 11, 5 %}`,
    `{% if from == "00:00" and to == "23:59" %}yes`,
    `{% elsif from == "00:00" and to == "00:00" and ${first} != ${last} %}yes{% else %}no{% endif %}`,
  ].join('');
  return { value: { template }, evidence: `${count} of ${start.values.length} records are whole days in UTC` };
}

function dayOf(dates: DateColumn, value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? readDate(dates, String(value).trim())?.date
    : undefined;
}

/** Returns by how many days a column is later than another, for each record that has both. */
export function daysBetween(earlier: DateColumn, later: DateColumn): number[] {
  return earlier.column.values.flatMap((value, index) => {
    const [first, last] = [dayOf(earlier, value), dayOf(later, later.column.values[index])];
    return first === undefined || last === undefined ? [] : [(Date.parse(last) - Date.parse(first)) / DAY_MS];
  });
}
