import { languages, monthOf, weekdayOf } from './calendar-names.ts';
import { languagesOfPeriod } from './day-periods.ts';
import { plainWriting } from './plain-writing.ts';

const spaced =
  / (?:-|to|until|till?|bis|au|às?|al?(?! las? )|(?<=:\d\d )a las?|alle(?: ore)?|hasta|tot|t\/m|do|til|по|до|έως) | ?[–—〜~] ?/iu;
const half = /\d\s*([ap])(?:\.?\s?m\.?)?$/i;
const isoInterval = /^\d{4}-\d\d-\d\d[^/]*\/\d{4}-\d\d-\d\d[^/]*$/;

type Range = readonly [first: string, last: string];

/**
 * Splits a text with two dates or times: `19:00 – 21:00`, `12–14 May 2027`. Returns the whole text if it does not have exactly
 * two. A part that is written once counts for both: in `7 – 9 pm` both are in the afternoon. In `11 – 1 pm` the first is in
 * the morning, because it comes before the second.
 */
export function splitRange(text: string): readonly [string] | Range {
  const whole = plainWriting(text).trim().replace(/\s+/g, ' ');
  const parts = isoInterval.test(whole)
    ? whole.split('/')
    : spaced.test(whole)
      ? whole.split(spaced)
      : whole.split('-');
  const [first = '', last = '', ...others] = parts.map((part) => part.trim());
  if (first === '' || last === '' || others.length > 0 || isDayWithTime(first, last)) return [whole];
  return withDate(first, last) ?? withClock(first, last);
}

/** `12 mars 2027 à 20h30`: a day and its time are not two ends. */
function isDayWithTime(first: string, last: string): boolean {
  const [kinds, others] = [first, last].map((text) => tokensOf(text).map(({ is }) => is));
  return kinds?.includes('year') === true && !kinds.includes('time') && others?.join() === 'time';
}

/** A number or name in one end of a range. */
interface Token {
  is: 'year' | 'number' | 'month' | 'weekday' | 'time';
  text: string;
  start: number;
  end: number;
}

const token = /\d{4}(?!\d)|\d{1,2}(?::\d{2}|\s?[hH]\d{2}|(?!\d))|[\p{L}\p{M}]+\.?/gu;
const shortYear = /^\D*\d{1,2}(\s?[./-]\s?)\d{1,2}\1(\d{2})(?!\d)/;

/** Lists the numbers and names that may be parts of a date. */
function tokensOf(text: string): Token[] {
  const year = shortYear.exec(text);
  const yearAt = year === null ? -1 : year[0].length - 2;
  const all = [...text.matchAll(token)].flatMap(({ 0: found, index }): Token[] => {
    const is = index === yearAt ? 'year' : kindOf(found);
    return is === undefined ? [] : [{ is, text: found, start: index, end: index + found.length }];
  });
  // "du mer. 9": of two names, a short word before is none.
  return all.filter((one, index) => !(one.text.length < 3 && isName(one) && isName(all[index + 1])));
}

function isName(one: Token | undefined): boolean {
  return one?.is === 'month' || one?.is === 'weekday';
}

function kindOf(text: string): Token['is'] | undefined {
  if (/^\d{4}$/.test(text)) return 'year';
  if (/^\d/.test(text)) return /^\d+$/.test(text) ? 'number' : 'time';
  const isLong = !/^\p{Script=Latin}{1,2}\.?$/u.test(text);
  if (isLong && languages.some((language) => monthOf(text, language) !== undefined)) return 'month';
  return isWeekday(text) ? 'weekday' : undefined;
}

function isWeekday(text: string): boolean {
  return languages.some((language) => weekdayOf(text, language) !== undefined);
}

/** Takes a first name for a weekday if it may be one, and another name is the month: `mar. 9 mars`. */
function withWeekday(tokens: readonly Token[], isExpected = false): readonly Token[] {
  const [name, ...others] = tokens;
  const isOne = name?.is === 'month' && (isExpected || others.some(({ is }) => is === 'month')) && isWeekday(name.text);
  return isOne ? [{ ...name, is: 'weekday' }, ...others] : tokens;
}

/** `12.–14. May 2027`, `May 3–5, 2027`, `2027.3.15–16`: month and year are written once, and complete the other end. */
function withDate(first: string, last: string): Range | undefined {
  const to = withWeekday(tokensOf(last));
  const from = withWeekday(tokensOf(first), to[0]?.is === 'weekday');
  const has = (tokens: readonly Token[], kind: Token['is']) => tokens.some(({ is }) => is === kind);
  if (has(to, 'year') && !has(from, 'year')) return has(from, 'number') ? beforeYear(first, last, from, to) : undefined;
  const isShort = !has(from, 'month') && has(from, 'number') && !has(from, 'time') && !has(from, 'year');
  // "du 9 au 11 juin": the year may be elsewhere.
  if (isShort && has(to, 'month') && has(to, 'number') && !has(to, 'time')) return [withTokens(last, to, from), last];
  if (from[0]?.is === 'year' && !has(to, 'year') && !has(from, 'time')) return afterYear(first, from, to);
  return undefined;
}

/** The year is at the end: of `Del 3 al 28 de febrero de 2027`, `3.–5. 3. 2027`, `Nov 30 – Dec 2, 2026`. */
function beforeYear(first: string, last: string, from: readonly Token[], to: readonly Token[]): Range | undefined {
  const [numbers, lastNumbers] = [from, to].map((tokens) => tokens.filter(({ is }) => is === 'number'));
  const [months, lastMonths] = [from, to].map((tokens) => tokens.filter(({ is }) => is === 'month'));
  const [begin, end] = [numbers?.at(-1), lastNumbers?.[0]];
  if (begin === undefined || end === undefined || from.some(({ is }) => is === 'time')) return undefined;
  if ((months?.length ?? 0) > (lastMonths?.length ?? 0) || (numbers?.length ?? 0) > (lastNumbers?.length ?? 0)) {
    return to[0] === end ? [first + last.slice(end.end), first.slice(0, begin.start) + last] : undefined;
  }
  if (to.some(({ is }) => is === 'time') || !isInOneYear(from, to)) return undefined;
  return [withTokens(last, to, from), last];
}

/** The year is at the start: `2027年1月9日〜3月14日`, `2027. május 3–5.`. An end in an earlier month is in the next year. */
function afterYear(first: string, from: readonly Token[], to: readonly Token[]): Range | undefined {
  const isDayPart = ({ is }: Token) => is === 'number' || is === 'month';
  const [parts = [], lastParts = []] = [from, to].map((tokens) => tokens.filter(isDayPart));
  if (parts.length !== 2 || lastParts.length < 1 || lastParts.length > 2) return undefined;
  if (lastParts.at(-1)?.is !== 'number' || lastParts.at(-2)?.is === (parts[0]?.is === 'month' ? 'number' : 'month'))
    return undefined;
  const [year, month] = [from[0], parts[0]];
  const lastMonth = lastParts.at(-2);
  const isNextYear =
    lastMonth !== undefined &&
    (lastMonth.is === 'month'
      ? !comesBefore(month?.text ?? '', lastMonth.text)
      : Number(lastMonth.text) < Number(month?.text));
  const moved = year && isNextYear ? [{ ...year, text: String(Number(year.text) + 1) }] : [];
  return [first, withTokens(first, from, [...moved, ...to])];
}

/** Replaces the numbers and names of a date by those of another, kind by kind; of fewer numbers, the month or year is kept. */
function withTokens(text: string, tokens: readonly Token[], others: readonly Token[]): string {
  const isYearFirst = tokens[0]?.is === 'year';
  let result = text;
  const changes = tokens.flatMap((one) => {
    const same = (all: readonly Token[]) => all.filter(({ is }) => is === one.is);
    const [own, given] = [same(tokens), same(others)];
    const index = own.indexOf(one) - (isYearFirst ? own.length - given.length : 0);
    const other = given[index];
    return other ? [{ one, text: other.text }] : [];
  });
  for (const { one, text: other } of changes.toReversed()) {
    result = result.slice(0, one.start) + other + result.slice(one.end);
  }
  return result;
}

/** Whether the first month is not after the last one, whichever number is the month. */
function isInOneYear(from: readonly Token[], to: readonly Token[]): boolean {
  const names = [from, to].map((tokens) => tokens.find(({ is }) => is === 'month')?.text);
  const [name, lastName] = names;
  if (name !== undefined && lastName !== undefined) return comesBefore(name, lastName);
  const [[a, b] = [], [c, d] = []] = [from, to].map((tokens) =>
    tokens.filter(({ is }) => is === 'number').map(({ text }) => Number(text)),
  );
  if (b === undefined || d === undefined) return true;
  const pairs = [
    [a ?? 0, c ?? 0],
    [b, d],
  ].filter((pair) => pair.every((number) => number <= 12));
  return pairs.length > 0 && pairs.every(([earlier = 0, later = 0]) => earlier <= later);
}

/** Whether a month is not after another, in the first language that has both names. */
function comesBefore(month: string, other: string): boolean {
  const pairs = languages.map((language) => [monthOf(month, language), monthOf(other, language)] as const);
  const [first, last] = pairs.find((pair) => !pair.includes(undefined)) ?? [];
  return first !== undefined && last !== undefined && first <= last;
}

const bareClock = /^(?:\p{L}+\.? )?(\d{1,2}(?:[:.]\d{2})?)$/u;
const afterClock = /^\d{1,2}(?:[:.]\d{2})?(\s?\p{L}[\p{L}.]*|[時时點点시])$/u;
const beforeClock = /(?:^|[\s)])([\p{L}\p{M}.]+) ?(\d{1,2}(?::\d{2}|[時时點点시](?:\d{2}分?)?)?)$/u;

/** `7–9 pm`, `19–21 Uhr`, `오후 2–4시`: the half of the day, or a word, is written once. */
function withClock(first: string, last: string): Range {
  const [, earlier = '', clock = ''] = beforeClock.exec(first) ?? [];
  // "午後1:30〜3:00": the word for the afternoon is before the first time.
  if (languagesOfPeriod(earlier).length > 0 && /^\d{1,2}(?::\d{2}|[時时點点시].*)?$/u.test(last)) {
    const isLater = clockOf(clock) <= clockOf(last);
    return isLater ? [first, first.slice(0, first.length - clock.length) + last] : [first, last];
  }
  const [, bare] = bareClock.exec(first) ?? [];
  if (bare === undefined) return [first, last];
  const [, written] = half.exec(last) ?? [];
  if (written !== undefined) return [`${bare} ${halfOf(bare, last, written.toLowerCase())}m`, last];
  const [, unit] = afterClock.exec(last) ?? [];
  if (unit !== undefined && languagesOfPeriod(unit).length === 0) return [`${bare} ${unit.trim()}`, last];
  // "kl 18–20": a number alone is no time of day.
  return /^\d{1,2}$/.test(last) ? [first, first.slice(0, first.length - bare.length) + last] : [first, last];
}

function halfOf(first: string, last: string, written: string): string {
  const isBefore = clockOf(first) <= clockOf(last);
  return isBefore ? written : written === 'p' ? 'a' : 'p';
}

/** The minutes of a time since midnight, or since noon. */
function clockOf(time: string): number {
  const [, hours, minutes = '0'] = /^(\d{1,2})(?:[:.時时點点시](\d{2}))?/.exec(time) ?? [];
  return (Number(hours) % 12) * 60 + Number(minutes);
}
