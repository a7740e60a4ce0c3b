import { languages, monthOf, weekdayOf } from './calendar-names.ts';

/** Which of day, month and year comes first in a date of numbers. */
export type DateOrder = 'day first' | 'month first' | 'year first';

/** A format that a text may be written in. */
export interface WrittenForm {
  format: string;
  /** The languages (BCP 47) that have the names of its month and weekday; absent: it has none. */
  languages?: readonly string[];
  /** Set if the numbers could be read in another order. */
  order?: DateOrder;
  /** What is between these numbers. */
  separator?: string;
  is: 'day' | 'moment' | 'time';
}

const LONGEST = 60;

const word = '[\\p{L}\\p{M}]{2,20}\\.?';
const weekday = `(?:(?<weekday>${word})(?<afterWeekday>\\s*[,.]?\\s+|,))?`;
const article = '(?<article>(?:le|el|il|am|den|vom|on|op)\\s+)?';
const weekdayAfter = `(?<beforeWeekday>\\s*[,(]\\s*)(?<weekdayAfter>${word})(?<closing>\\)?)`;
const dateForms = [
  '(?<y>\\d{4})(?<s>[-/.])\\d{1,2}\\k<s>\\d{1,2}',
  '\\d{1,2}(?<s>\\s?[-/.]\\s?|\\s)\\d{1,2}\\k<s>(?<y>\\d{4}|\\d{2})',
  `\\d{1,2}(?<s>st|nd|rd|th|er|º|\\.)?(?<s2>\\s|-|/|\\s(?:de|of)\\s)(?<month>${word})(?<s3>,?\\s|-|/|\\s(?:de|del)\\s|,)(?<y>\\d{4}|\\d{2})`,
  `(?<month>${word})(?<s>\\s|-)\\d{1,2}(?<s2>st|nd|rd|th)?(?<s3>,?\\s|-|,)(?<y>\\d{4})`,
  `(?<y>\\d{4})(?<s>\\s|-)(?<month>${word})(?<s2>\\s|-)\\d{1,2}`,
  '(?<y>\\d{4})(?<s>年\\s?|\\.\\s)\\d{1,2}(?<s2>月\\s?|\\.\\s)\\d{1,2}(?<s3>日|\\.)?',
  '(?<y>(?:19|20)\\d{2})(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])',
];
const time =
  '(?<hour>\\d{1,2})(?:(?<t>[:.]|\\s?[hH]\\s?)(?<minute>\\d{2})(?<second>:\\d{2})?)?(?<half>\\s?[aApP]\\.?[mM]\\.?|[aApP])?(?<unit>\\s?(?:Uhr|uhr|h|hrs|[A-Z]{2,4}|[~〜～]))?';
const joint = '(?<joint>\\s*T|\\s*,?\\s+(?:at|um|à|a las|alle|om|kl\\.?)\\s+|\\s*[,|@]\\s*|\\s+[-–]\\s+|\\s+)';
const offset = '(?<offset>\\s?(?:Z|[+-]\\d{2}:?\\d{2}))?';

let compiled: ReturnType<typeof compilePatterns> | undefined;

/** Compiles the patterns when the first text is read: most commands that load this file read none. */
function compilePatterns() {
  const wholeDate = (date: string) =>
    `^${article}${weekday}(?<date>${date})(?:${weekdayAfter})?(?:${joint}${time}${offset})?$`;
  const timeFirst = (date: string) => `^${time}${joint}${weekday}(?<date>${date})$`;
  return {
    wholeDates: dateForms.map((date) => new RegExp(wholeDate(date), 'u')),
    timesFirst: dateForms.map((date) => new RegExp(timeFirst(date), 'u')),
    timeOnly: new RegExp(`^${time}$`, 'u'),
  };
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Returns the formats that a text may be written in. Whether its day exists is not checked. */
export function writtenForms(text: string): WrittenForm[] {
  if (text.length > LONGEST || !/\d/.test(text)) return [];
  compiled ??= compilePatterns();
  const { wholeDates, timesFirst, timeOnly } = compiled;
  for (const [index, pattern] of wholeDates.entries()) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return dateFormats(groups, index).flatMap((date) => withTime(date, groups, 'after'));
  }
  for (const [index, pattern] of timesFirst.entries()) {
    const groups = pattern.exec(text)?.groups;
    if (groups && isClock(groups))
      return dateFormats(groups, index).flatMap((date) => withTime(date, groups, 'before'));
  }
  const groups = timeOnly.exec(text)?.groups;
  if (groups && isClock(groups)) return [{ format: timeFormat(groups), is: 'time' }];
  return /^([01]\d|2[0-3])[0-5]\d$/.test(text) ? [{ format: 'HHmm', is: 'time' }] : [];
}

function withTime(date: Omit<WrittenForm, 'is'>, groups: Groups, place: 'before' | 'after'): WrittenForm[] {
  if (groups.hour === undefined) return [{ ...date, is: 'day' }];
  if (!isClock(groups)) return [];
  const between = literal(groups.joint ?? '');
  const written =
    place === 'before' ? timeFormat(groups) + between + date.format : date.format + between + timeFormat(groups);
  const zone = groups.offset === undefined ? '' : `${/^\s/.test(groups.offset) ? ' ' : ''}XXX`;
  return [{ ...date, format: written + zone, is: 'moment' }];
}

/** A number alone is no time of day. */
function isClock({ minute, half, unit = '' }: Groups): boolean {
  return minute !== undefined || half !== undefined || /^\s?(h|uhr)$/i.test(unit);
}

function timeFormat({ t, minute, second, half, unit }: Groups): string {
  const hour = half === undefined ? 'H' : 'h';
  const minutes = minute === undefined ? '' : `${literal(t ?? '')}mm`;
  const seconds = second === undefined ? '' : ':ss';
  const suffix = half === undefined ? '' : `${/^\s/.test(half) ? ' ' : ''}a`;
  return hour + minutes + seconds + suffix + literal(unit ?? '');
}

function dateFormats(groups: Groups, form: number): Array<Omit<WrittenForm, 'is'>> {
  const { y = '', s = '', s2 = '', s3 = '', month, article = '' } = groups;
  const { weekday, afterWeekday = '', beforeWeekday = '', weekdayAfter, closing = '' } = groups;
  const day = weekday ?? weekdayAfter;
  const year = 'y'.repeat(y.length);
  const before = literal(article) + (weekday === undefined ? '' : `EEEE${literal(afterWeekday)}`);
  const after = weekdayAfter === undefined ? '' : `${literal(beforeWeekday)}EEEE${closing}`;
  const [between, second, third] = [s, s2, s3].map(literal);
  const known = month === undefined && day === undefined ? undefined : languagesOf(month, day);
  // A word that is neither a month nor a weekday: this is no date.
  if (known?.length === 0) return [];
  const named = known && { languages: known };
  const format = (text: string, order?: DateOrder) => ({
    format: before + text + after,
    ...named,
    ...(order && { order, separator: s.trim() || ' ' }),
  });
  switch (form) {
    case 0:
      return [format(`${year}${between}M${between}d`)];
    case 1: {
      const orders = [
        format(`d${between}M${between}${year}`, 'day first'),
        format(`M${between}d${between}${year}`, 'month first'),
      ];
      return y.length === 2 ? [...orders, format(`yy${between}M${between}d`, 'year first')] : orders;
    }
    case 2:
      return [format(`d${between}${second}MMMM${third}${year}`)];
    case 3:
      return [format(`MMMM${between}d${second}${third}${year}`)];
    case 4:
      return [format(`${year}${between}MMMM${second}d`)];
    case 5:
      return [format(`${year}${between}M${second}d${third}`)];
    default:
      return [format('yyyyMMdd')];
  }
}

const namesOf = new Map<string, readonly string[]>();

/** Finds the languages that have a month and a weekday. */
function languagesOf(month: string | undefined, day: string | undefined): readonly string[] {
  const id = `${month} ${day}`;
  const known = namesOf.get(id);
  if (known !== undefined) return known;
  const found = languages.filter(
    (language) =>
      (month === undefined || monthOf(month, language) !== undefined) &&
      (day === undefined || weekdayOf(day, language) !== undefined),
  );
  // Any other word of a feed would be remembered, too.
  if (found.length > 0) namesOf.set(id, found);
  return found;
}

/** Writes text so that a format takes it as it is: letters in quotes. */
function literal(text: string): string {
  return text.replace(/[A-Za-z]+/g, "'$&'");
}
