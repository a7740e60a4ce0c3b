import { languages, monthOf, weekdayOf } from './calendar-names.ts';
import { type Affixes, formatLiteral, readAffixes } from './date-affixes.ts';
import { plainWriting } from './plain-writing.ts';
import { type FoundClock, findClock } from './written-clock.ts';

/** Which of day, month and year comes first in a date of numbers. */
export type DateOrder = 'day first' | 'month first' | 'year first';

/** A format that a text may be written in. */
export interface WrittenForm {
  format: string;
  /** The languages (BCP 47) that have the names of its month, weekday and half of the day; absent: it has none. */
  languages?: readonly string[];
  /** Set if the numbers could be read in another order. */
  order?: DateOrder;
  /** What is between these numbers. */
  separator?: string;
  is: 'day' | 'moment' | 'time';
  /** Whether it has words that are not usual beside a date, such as those of a sentence. */
  isOdd: boolean;
}

const LONGEST = 80;

/** Also with several dots: `ม.ค.`. */
const month = '(?<month>(?:[\\p{L}\\p{M}]\\.?){2,20})';
/** A small word: `de`, `of`, `г.`. */
const small = "(?:\\p{L}{1,4}(?:['’]|\\.?\\s))?";
/** A year of two digits is not the hour of a time. */
const anyYear = '(?<y>\\d{4}|\\d{2}(?![:.hH]\\d|\\s?[aApP]\\.?[mM]))';
const dateForms = [
  '(?<y>\\d{4})(?<s>\\s?[-/.]\\s?)\\d{1,2}(?<s2>\\s?[-/.]\\s?)\\d{1,2}',
  `\\d{1,2}(?<s>\\s?[-/.]\\s?|\\s)\\d{1,2}(?<s2>\\s?[-/.]\\s?|\\s)${anyYear}`,
  `\\d{1,2}(?<s>\\p{L}{0,2}\\.?)(?<s2>\\s?[-/,]?\\s?${small})${month}(?<s3>\\s?[-/,]?\\s?${small})${anyYear}`,
  `${month}(?<s>\\s?-?)\\d{1,2}(?<s2>(?:\\p{L}{2})?)(?<s3>\\s?[-,]?\\s?${small})(?<y>\\d{4})`,
  `(?<y>\\d{4})(?<s>\\.?[\\s-]${small})${month}(?<s2>\\s|-)\\d{1,2}`,
  '(?<y>\\d{4})(?<s>\\s?[年년]\\s?)\\d{1,2}(?<s2>\\s?[月월]\\s?)\\d{1,2}(?<s3>\\s?[日일号號])?',
];

let compiled: RegExp[] | undefined;

/** Compiles the patterns when the first text is read: most commands that load this file read none. */
function datePatterns(): RegExp[] {
  compiled ??= dateForms.map((form) => new RegExp(`(?<![\\d.,:/-])${form}(?!\\d)`, 'u'));
  return compiled;
}

type Groups = Readonly<Record<string, string | undefined>>;
type DateForm = Pick<WrittenForm, 'format' | 'languages' | 'order' | 'separator'>;

/** Returns the formats that a text may be written in. Whether its day exists is not checked. */
export function writtenForms(text: string): WrittenForm[] {
  if (text.length > LONGEST || !/\p{Nd}/u.test(text)) return [];
  const plain = plainWriting(text).trim();
  const compact = compactForm(plain);
  if (compact) return [compact];
  for (const [index, pattern] of datePatterns().entries()) {
    const match = pattern.exec(plain);
    const dates = match?.groups ? dateFormats(match.groups, index) : [];
    if (match && dates.length > 0) return withRest(plain, dates, match.index, match.index + match[0].length);
  }
  const clock = findClock(plain, false);
  return clock ? assembled([plain.slice(0, clock.start), clock, plain.slice(clock.end)]) : [];
}

/** Digits without separators: `20270113`, `20270113T183000Z`, `1830`. */
function compactForm(text: string): WrittenForm | undefined {
  const [, date, joint = '', minutes, seconds, zone] =
    /^((?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?:([Tt ]?)(\d{4})(\d{2})?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(
      text,
    ) ?? [];
  if (date !== undefined) {
    const time = minutes === undefined ? '' : `${formatLiteral(joint)}HHmm${seconds ? 'ss' : ''}${zone ? 'XXX' : ''}`;
    return { format: `yyyyMMdd${time}`, is: time === '' ? 'day' : 'moment', isOdd: false };
  }
  if (!/^([01]?\d|2[0-3])[0-5]\d$/.test(text)) return undefined;
  return { format: text.length === 4 ? 'HHmm' : 'Hmm', is: 'time', isOdd: false };
}

function withRest(text: string, dates: readonly DateForm[], start: number, end: number): WrittenForm[] {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  return dates.flatMap((date) => {
    const later = findClock(after, true);
    if (later) return assembled([before, date, after.slice(0, later.start), later, after.slice(later.end)]);
    const earlier = findClock(before, true);
    if (earlier) return assembled([before.slice(0, earlier.start), earlier, before.slice(earlier.end), date, after]);
    return assembled([before, date, after]);
  });
}

/** Writes the format of a text of which the date and the clock are known. The rest are weekdays and words. */
function assembled(pieces: ReadonlyArray<string | DateForm | FoundClock>): WrittenForm[] {
  const texts = pieces.filter((piece) => typeof piece === 'string');
  if (texts.some((text) => /\d/.test(text))) return [];
  const clock = pieces.find((piece): piece is FoundClock => typeof piece === 'object' && 'needs' in piece);
  const date = pieces.find((piece): piece is DateForm => typeof piece === 'object' && !('needs' in piece));
  const affixes = readAffixes(texts, date !== undefined);
  const { isOdd, weekday } = affixes;
  if (clock && !isTime(clock, affixes)) return [];
  const named = [date?.languages, clock?.languages, weekday && languagesOf(undefined, weekday)].filter(
    (known) => known !== undefined,
  );
  const common =
    named.length === 0 ? undefined : languages.filter((one) => named.every((known) => known.includes(one)));
  if (common?.length === 0) return [];
  const rest = affixes.formats.values();
  const format = pieces.map((piece) => (typeof piece === 'string' ? rest.next().value : piece.format)).join('');
  const { order, separator } = date ?? {};
  return [
    {
      format,
      ...(common && { languages: common }),
      ...(order && { order, separator }),
      is: clock ? (date ? 'moment' : 'time') : 'day',
      isOdd,
    } as WrittenForm,
  ];
}

/** Whether a number is a time of day, which is read as a whole: in `8 Uhr abends`, the last word would change it. */
function isTime({ needs }: FoundClock, { isClock, isOdd, isHalf }: Affixes): boolean {
  if (isHalf) return false;
  return needs === 'nothing' || isClock || (needs === 'no other words' && !isOdd);
}

function dateFormats(groups: Groups, form: number): DateForm[] {
  const { y = '', s = '', s2 = '', s3 = '', month: name } = groups;
  const year = 'y'.repeat(y.length);
  const [between, second, third] = [s, s2, s3].map(formatLiteral);
  const known = name === undefined ? undefined : languagesOf(name);
  // A word that is no month: this is no date.
  if (known?.length === 0) return [];
  const format = (text: string, order?: DateOrder): DateForm => ({
    format: text,
    ...(known && { languages: known }),
    ...(order && { order, separator: s.trim() || ' ' }),
  });
  switch (form) {
    case 0:
      return s.trim() === s2.trim() ? [format(`${year}${between}M${second}d`)] : [];
    case 1: {
      if (s.trim() !== s2.trim() || (y.length === 2 && s !== s2)) return [];
      const orders = [
        format(`d${between}M${second}${year}`, 'day first'),
        format(`M${between}d${second}${year}`, 'month first'),
      ];
      return y.length === 2 ? [...orders, format(`yy${between}M${second}d`, 'year first')] : orders;
    }
    case 2:
      return [format(`d${between}${second}MMMM${third}${year}`)];
    case 3:
      return [format(`MMMM${between}d${second}${third}${year}`)];
    case 4:
      return [format(`${year}${between}MMMM${second}d`)];
    default:
      return [format(`${year}${between}M${second}d${third}`)];
  }
}

const namesOf = new Map<string, readonly string[]>();

/** Finds the languages that have a month or a weekday. */
export function languagesOf(name: string | undefined, day?: string): readonly string[] {
  const id = `${name} ${day}`;
  const known = namesOf.get(id);
  if (known !== undefined) return known;
  const found = languages.filter(
    (language) =>
      (name === undefined || monthOf(name, language) !== undefined) &&
      (day === undefined || weekdayOf(day, language) !== undefined),
  );
  // Any other word of a feed would be remembered, too.
  if (found.length > 0) namesOf.set(id, found);
  return found;
}
