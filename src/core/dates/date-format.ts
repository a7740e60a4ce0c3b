import { monthOf, weekdayOf } from './calendar-names.ts';
import { dayPeriodsIn, hourInPeriod } from './day-periods.ts';
import { plainWriting } from './plain-writing.ts';

/** The parts of a date in a format: YYYY-MM-DD, HH:MM:SS, Z or ±HH:MM; absent: the format does not have the part. */
export interface WrittenDate {
  date?: string;
  time?: string;
  offset?: string;
}

type Part = 'year' | 'month' | 'day' | 'weekday' | 'hour' | 'minute' | 'second' | 'half' | 'offset';

const name = "[\\p{L}\\p{M}.’']{1,50}";
const twoDigits = '\\d{2}';
const oneOrTwoDigits = '\\d{1,2}';

/** The tokens of a format, each with the part that it stands for and the pattern that it matches. `dd` does not match "7". */
const tokens = new Map<string, [part: Part, pattern: string]>([
  ['yyyy', ['year', '\\d{4}']],
  ['yy', ['year', twoDigits]],
  ['MMMM', ['month', name]],
  ['MMM', ['month', name]],
  ['MM', ['month', twoDigits]],
  ['M', ['month', oneOrTwoDigits]],
  ['dd', ['day', twoDigits]],
  ['d', ['day', oneOrTwoDigits]],
  ['EEEE', ['weekday', name]],
  ['EEE', ['weekday', name]],
  ['HH', ['hour', twoDigits]],
  ['H', ['hour', oneOrTwoDigits]],
  ['hh', ['hour', twoDigits]],
  ['h', ['hour', oneOrTwoDigits]],
  ['mm', ['minute', twoDigits]],
  ['ss', ['second', twoDigits]],
  ['a', ['half', '']],
  ['XXX', ['offset', 'Z|[+-]\\d{2}:?\\d{2}']],
]);

const piece = /'((?:[^']|'')*)'|([A-Za-z])\2*|\s+|./gsu;

/**
 * Compiles a format of dates and times, such as `dd/MM/yyyy HH:mm`, to a reader; the formats `unix` and `unix-ms` read
 * seconds and milliseconds since 1970, and `excel` the days of a spreadsheet. The reader returns undefined for a text that is not
 * in the format, or a day or time that does not exist. docs/mapping.md lists the tokens.
 * @param language BCP 47, of the names of months and weekdays and of words such as am and pm
 * @param firstMonth `2026-09` or `2026`: dates in a format without a year are in the twelve months from then
 * @throws Error with a readable message when the format is invalid
 */
export function compileDateFormat(
  format: string,
  language = 'en',
  firstMonth?: string,
): (text: string) => WrittenDate | undefined {
  if (format === 'unix') return (text) => fromEpoch(text, 1000);
  if (format === 'unix-ms') return (text) => fromEpoch(text, 1);
  if (format === 'excel') return fromSpreadsheet;
  const { parts, pattern } = parse(format, language);
  if (firstMonth === undefined && isYearless(parts)) throw new Error(YEARLESS);
  return (text) => {
    const written = plainWriting(text).trim();
    const values = pattern.exec(written)?.slice(1);
    return values && assemble(new Map(parts.map((part, index) => [part, values[index] ?? ''])), language, firstMonth);
  };
}

const numberFormats = new Set(['unix', 'unix-ms', 'excel']);

/** Returns true if a text has the form of a format, even if the day or time does not exist. */
export function isWrittenIn(format: string, text: string, language = 'en'): boolean {
  return !numberFormats.has(format) && parse(format, language).pattern.test(plainWriting(text).trim());
}

function parse(format: string, language: string): { parts: Part[]; pattern: RegExp } {
  const parts: Part[] = [];
  let isTwelveHours = false;
  const patterns = [...plainWriting(format).trim().matchAll(piece)].map(([text, quoted, letter]) => {
    if (quoted !== undefined) return literally(quoted === '' ? "'" : quoted.replaceAll("''", "'"));
    if (letter === undefined) return /^\s/.test(text) ? '\\s+' : literally(text);
    const [part, pattern] = tokens.get(text) ?? unknownToken(text, format);
    parts.push(part);
    isTwelveHours ||= letter === 'h';
    return `(${part === 'half' ? halfPattern(language) : pattern})`;
  });
  const mistake = mistakeIn(parts, isTwelveHours);
  if (mistake) throw new Error(mistake);
  return { parts, pattern: new RegExp(`^${patterns.join('')}$`, 'iu') };
}

/** Matches am and pm, and the words of a language for them, with or without dots and Arabic vowels. */
function halfPattern(language: string): string {
  const words = [...dayPeriodsIn(language).keys()].toSorted((a, b) => b.length - a.length);
  const spelled = words.map(
    (word) => `${[...word].map(literally).join('[.\\s\\u064b-\\u0652]{0,2}')}[.\\u064b-\\u0652]?`,
  );
  return [...spelled, '[ap](?:[.\\s]{0,2}m\\.?)?'].join('|');
}

function unknownToken(text: string, format: string): never {
  const written = format.replace(piece, (token) => tokenLike(token) ?? token);
  const hint = tokenLike(text) ? `did you mean "${written}"?` : `put literal letters in quotes: '${text}'`;
  throw new Error(`"${text}" is not a part of a date; ${hint}`);
}

/** Returns the token that equals a text, or differs from it only in case. */
function tokenLike(text: string): string | undefined {
  if (tokens.has(text)) return text;
  return [...tokens.keys()].find((token) => token.toLowerCase() === text.toLowerCase());
}

function mistakeIn(parts: readonly Part[], isTwelveHours: boolean): string | undefined {
  const has = (part: Part) => parts.includes(part);
  if (new Set(parts).size < parts.length) return 'a part of the date appears twice';
  const date = (['year', 'month', 'day'] as const).filter(has).length;
  if (date !== 0 && date !== 3 && !isYearless(parts)) return 'a date needs year, month and day, such as dd/MM/yyyy';
  if (date === 0 && !has('hour')) return 'it contains neither a date nor a time';
  if (isTwelveHours !== has('half')) return 'h and hh need a (am or pm), H and HH do not allow it';
  const isComplete = (has('hour') || !has('minute')) && (has('minute') || !has('second'));
  return isComplete ? undefined : 'minutes need hours, and seconds need minutes';
}

const YEARLESS = 'a date needs year, month and day, such as dd/MM/yyyy, or the year beside the format';

function isYearless(parts: readonly Part[]): boolean {
  return parts.includes('month') && parts.includes('day') && !parts.includes('year');
}

type Values = ReadonlyMap<Part, string>;

function assemble(values: Values, language: string, firstMonth?: string): WrittenDate | undefined {
  const date = dateOf(values, language, firstMonth);
  const time = timeOf(values, language);
  if (date === undefined || time === undefined) return undefined;
  const offset = values.get('offset');
  return { ...(date && { date }), ...(time && { time }), ...(offset && { offset: offset.toUpperCase() }) };
}

/** Returns '' if the format has no date, undefined if the date does not exist. */
function dateOf(values: Values, language: string, firstMonth = ''): string | undefined {
  if (!values.has('month')) return '';
  const name = values.get('month') ?? '';
  const month = /^\d/.test(name) ? Number(name) : monthOf(name, language);
  const day = Number(values.get('day'));
  const year = yearOf(values.get('year'), month, firstMonth, language);
  if (month === undefined || year < 1000) return undefined;
  const utc = new Date(Date.UTC(year, month - 1, day));
  if (utc.getUTCMonth() !== month - 1 || utc.getUTCDate() !== day) return undefined;
  const weekday = values.get('weekday');
  if (weekday !== undefined && weekdayOf(weekday, language) !== utc.getUTCDay()) return undefined;
  return utc.toISOString().slice(0, 10);
}

function yearOf(written: string | undefined, month: number | undefined, firstMonth: string, language: string): number {
  if (written === undefined) {
    const [first, from = 1] = firstMonth.split('-').map(Number);
    return (first ?? 0) + (month !== undefined && month < from ? 1 : 0);
  }
  const year = Number(written);
  if (/^th\b/.test(language)) {
    const thai = written.length > 2 ? year : year + 2500;
    if (thai >= THAI_YEARS && thai < THAI_YEARS + 400) return thai - 543;
  }
  // Two digits as in POSIX: 69 to 99 are in the last century.
  return year + (written.length > 2 ? 0 : year < 69 ? 2000 : 1900);
}

/** Years of Thailand that are counted from here on, 543 more than elsewhere; also of two digits from 50 on. */
const THAI_YEARS = 2550;

function timeOf(values: Values, language: string): string | undefined {
  const written = values.get('hour');
  if (written === undefined) return '';
  const half = values.get('half');
  const hour = half === undefined ? Number(written) : hourInPeriod(Number(written), half, language);
  const [minutes, seconds] = [values.get('minute') ?? '00', values.get('second') ?? '00'];
  if (hour === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  if (hour > 23 && (hour > 24 || Number(minutes) > 0 || Number(seconds) > 0)) return undefined;
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`;
}

/** The end of the year 9999. */
const latestMs = 253_402_300_799_999;

function fromEpoch(text: string, unitMs: number): WrittenDate | undefined {
  const ms = /^-?\d{1,15}(\.\d+)?$/.test(text.trim()) ? Math.trunc(Number(text) * unitMs) : Number.NaN;
  if (!(Math.abs(ms) <= latestMs)) return undefined;
  const iso = new Date(ms).toISOString();
  return iso.length === 24 ? { date: iso.slice(0, 10), time: iso.slice(11, 19), offset: 'Z' } : undefined;
}

/** Day 0 of spreadsheets. */
const spreadsheetStart = Date.UTC(1899, 11, 30);

/** Reads a number of days since 30 December 1899: `46396` is a day, `0,75` a time of day, `46396.75` both. */
function fromSpreadsheet(text: string): WrittenDate | undefined {
  if (!/^\d{1,7}(?:[.,]\d{1,17})?$/.test(text.trim())) return undefined;
  const days = Number(text.trim().replace(',', '.'));
  const ms = spreadsheetStart + Math.round(days * 86_400) * 1000;
  if (ms > latestMs) return undefined;
  const iso = new Date(ms).toISOString();
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 19)];
  if (days < 1) return { time };
  return Number.isInteger(days) ? { date } : { date, time };
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/\s+/g, '\\s+');
}
