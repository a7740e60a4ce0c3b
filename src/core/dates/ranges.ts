import { languages, monthOf } from './calendar-names.ts';
import { clockWord } from './clock-words.ts';

const spaced = / (?:-|to|until|till?|bis|au|à|al?|hasta|tot|t\/m) |[–—]/iu;
const half = /\d\s*([ap])(?:\.?m\.?)?$/i;
const unit = /\d\s*(Uhr|h|hrs)\.?$/;
const isoInterval = /^\d{4}-\d\d-\d\d[^/]*\/\d{4}-\d\d-\d\d[^/]*$/;
const bareTime = /^\d{1,2}(?:[:.]\d{2})?$/;

/**
 * Splits a text with two dates or times: `19:00 – 21:00`, `12–14 May 2027`. Returns the whole text if it does not have exactly
 * two. A part that is written once counts for both: in `7 – 9 pm` both are in the afternoon. In `11 – 1 pm` the first is in
 * the morning, because it comes before the second.
 */
export function splitRange(text: string): readonly [string] | readonly [first: string, last: string] {
  const whole = text.trim().replace(/\s+/g, ' ');
  const parts = isoInterval.test(whole)
    ? whole.split('/')
    : spaced.test(whole)
      ? whole.split(spaced)
      : whole.split('-');
  const [first = '', last = '', ...others] = parts.map((part) => part.trim());
  if (first === '' || last === '' || others.length > 0) return [whole];
  return withDate(first, last) ?? withHalf(first, last);
}

const bareDay = /^\d{1,2}\.?$/;
const dayFirst = /^\d{1,2}(\.?(?: |[-/.])\p{L}[\p{L}.]* \d{4}|\.? \p{L}[\p{L}.]* \d{4}|[-/.]\d{1,2}[-/.]\d{2,4})$/u;
const monthFirst = /^(\p{L}[\p{L}.]* )\d{1,2}$/u;

/** `12.–14. May 2027`, `May 3–5, 2027`, `2027.3.15–16`: month and year are written once. */
function withDate(first: string, last: string): readonly [string, string] | undefined {
  const [, rest] = bareDay.test(first) ? (dayFirst.exec(last) ?? []) : [];
  if (rest !== undefined) return [first.replace('.', '') + rest, last];
  const [, month] = monthFirst.exec(first) ?? [];
  const [, year] = /^\d{1,2}(,? \d{4})$/.exec(last) ?? [];
  if (month !== undefined && year !== undefined) return [first + year, month + last];
  const [, before, after] = yearless.exec(first) ?? [];
  const named = before ?? after ?? '';
  const [, lastMonth = '', ofLast] = monthAndYear.exec(last) ?? [];
  // If the range ends in another year, it is unknown which of the two years is written.
  if (ofLast !== undefined && named !== '') return comesBefore(named, lastMonth) ? [first + ofLast, last] : undefined;
  const shared = yearOfNumbers(first, last);
  if (shared !== undefined) return [first + shared, last];
  const [, begin] = /^(\d{4}[./]\d{1,2}[./])\d{1,2}$/.exec(first) ?? [];
  return begin !== undefined && bareDay.test(last) ? [first, begin + last] : undefined;
}

const dayAndMonth = /^(\d{1,2})([./])(\d{1,2})$/;
const wholeDate = /^(\d{1,2})([./])(\d{1,2})([./]\d{2}(?:\d{2})?)$/;

/** The year of `3/21–3/23/27`; undefined if the first day may be in the year before, whichever number is the month. */
function yearOfNumbers(first: string, last: string): string | undefined {
  const [, a, separator, b] = dayAndMonth.exec(first.replace(/\.$/, '')) ?? [];
  const [, c, same, d, year] = wholeDate.exec(last) ?? [];
  if (separator === undefined || separator !== same) return undefined;
  const months = [
    [Number(a), Number(c)],
    [Number(b), Number(d)],
  ].filter((pair) => pair.every((number) => number <= 12));
  const isSure = months.length > 0 && months.every(([from = 0, to = 0]) => from <= to);
  return isSure ? (first.endsWith('.') ? year?.slice(1) : year) : undefined;
}

const yearless = /^(?:\d{1,2}\.? (\p{L}[\p{L}.]*)|(\p{L}[\p{L}.]*) \d{1,2})$/u;
const monthAndYear = /(?:^|\s)(\p{L}[\p{L}.]*)(?: \d{1,2})?(,? \d{4})$/u;

/** Whether a month is not after another, in the first language that has both names. */
function comesBefore(month: string, other: string): boolean {
  const pairs = languages.map((language) => [monthOf(month, language), monthOf(other, language)] as const);
  const [first, last] = pairs.find((pair) => !pair.includes(undefined)) ?? [];
  return first !== undefined && last !== undefined && first <= last;
}

/** `7–9 pm`, `19–21 Uhr`: the half of the day, or the unit, is written once. */
function withHalf(first: string, last: string): readonly [string, string] {
  if (!bareTime.test(first)) return [first, last];
  const word = clockWord(last);
  if (word !== undefined) return [`${first} ${halfOf(first, '12', word === '12:00:00' ? 'p' : 'a')}m`, last];
  const [, written] = half.exec(last) ?? [];
  if (written !== undefined) return [`${first} ${halfOf(first, last, written.toLowerCase())}m`, last];
  const [, unitWord] = unit.exec(last) ?? [];
  return [unitWord === undefined ? first : `${first} ${unitWord}`, last];
}

function halfOf(first: string, last: string, written: string): string {
  const isBefore = clockOf(first) <= clockOf(last);
  return isBefore ? written : written === 'p' ? 'a' : 'p';
}

/** The minutes of a time since midnight, or since noon. */
function clockOf(time: string): number {
  const [, hours, minutes = '0'] = /^(\d{1,2})(?:[:.](\d{2}))?/.exec(time) ?? [];
  return (Number(hours) % 12) * 60 + Number(minutes);
}
