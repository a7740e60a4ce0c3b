import { monthOf, weekdayOf } from './calendar-names.ts';

/** The parts of a date in a format: YYYY-MM-DD, HH:MM:SS, Z or ±HH:MM; absent: not part of the format. */
export interface WrittenDate {
  date?: string;
  time?: string;
  offset?: string;
}

/** The tokens of a format and the patterns they match. `dd` is exactly two digits and does not match "7". */
const tokens: Record<string, string> = {
  yyyy: '\\d{4}',
  yy: '\\d{2}',
  MMMM: "[\\p{L}\\p{M}.’']+",
  MMM: "[\\p{L}\\p{M}.’']+",
  MM: '\\d{2}',
  M: '\\d{1,2}',
  dd: '\\d{2}',
  d: '\\d{1,2}',
  EEEE: "[\\p{L}\\p{M}.’']+",
  EEE: "[\\p{L}\\p{M}.’']+",
  HH: '\\d{2}',
  H: '\\d{1,2}',
  hh: '\\d{2}',
  h: '\\d{1,2}',
  mm: '\\d{2}',
  ss: '\\d{2}',
  a: '[ap]\\.?\\s?m\\.?',
  XXX: 'Z|[+-]\\d{2}:?\\d{2}',
};

const piece = /'((?:[^']|'')*)'|([A-Za-z])\2*|\s+|./gsu;

/**
 * Compiles a format of dates and times, such as `dd/MM/yyyy HH:mm`, to a reader; the formats `unix` and `unix-ms` read
 * seconds and milliseconds since 1970. The reader returns undefined for a text that is not in the format, or a day or
 * time that does not exist. docs/mapping.md lists the tokens.
 * @param language BCP 47, of the names of months and weekdays
 * @throws Error with a readable message when the format is invalid
 */
export function compileDateFormat(format: string, language = 'en'): (text: string) => WrittenDate | undefined {
  if (format === 'unix') return (text) => fromEpoch(text, 1000);
  if (format === 'unix-ms') return (text) => fromEpoch(text, 1);
  const { names, pattern } = parse(format);
  return (text) => {
    const values = pattern.exec(text.trim())?.slice(1);
    return values && assemble(new Map(names.map((name, index) => [name, values[index] ?? ''])), language);
  };
}

function parse(format: string): { names: string[]; pattern: RegExp } {
  const names: string[] = [];
  const parts = [...format.trim().matchAll(piece)].map(([text, quoted, letter]) => {
    if (quoted !== undefined) return literally(quoted === '' ? "'" : quoted.replaceAll("''", "'"));
    if (letter === undefined) return /^\s/.test(text) ? '\\s+' : literally(text);
    const matches = Object.hasOwn(tokens, text) ? tokens[text] : undefined;
    if (matches === undefined) {
      const meant = Object.keys(tokens).find((token) => token.toLowerCase() === text.toLowerCase());
      const hint = meant ? `did you mean "${meant}"?` : `put literal letters in quotes: '${text}'`;
      throw new Error(`"${text}" is not a part of a date; ${hint}`);
    }
    names.push(text);
    return `(${matches})`;
  });
  const mistake = mistakeIn(names);
  if (mistake) throw new Error(mistake);
  return { names, pattern: new RegExp(`^${parts.join('')}$`, 'iu') };
}

const kinds: Record<string, string[]> = {
  year: ['yyyy', 'yy'],
  month: ['MMMM', 'MMM', 'MM', 'M'],
  day: ['dd', 'd'],
  hour: ['HH', 'H', 'hh', 'h'],
  minute: ['mm'],
};

function mistakeIn(names: readonly string[]): string | undefined {
  const has = (kind: string) => names.filter((name) => kinds[kind]?.includes(name)).length;
  if (new Set(names).size < names.length || Object.keys(kinds).some((kind) => has(kind) > 1)) {
    return 'a part of the date appears twice';
  }
  const date = ['year', 'month', 'day'].filter((kind) => has(kind) > 0).length;
  if (date !== 0 && date !== 3) return 'a date needs year, month and day, such as dd/MM/yyyy';
  if (date === 0 && has('hour') === 0) return 'it contains neither a date nor a time';
  const twelve = names.includes('h') || names.includes('hh');
  if (twelve !== names.includes('a')) return 'h and hh need a (am or pm), H and HH do not allow it';
  return has('hour') < has('minute') || (names.includes('ss') && has('minute') === 0)
    ? 'minutes need hours, and seconds need minutes'
    : undefined;
}

type Values = ReadonlyMap<string, string>;

function assemble(values: Values, language: string): WrittenDate | undefined {
  const date = dateOf(values, language);
  const time = timeOf(values);
  if (date === undefined || time === undefined) return undefined;
  const offset = values.get('XXX');
  return { ...(date && { date }), ...(time && { time }), ...(offset && { offset: offset.toUpperCase() }) };
}

/** Returns '' if the format has no date, undefined if the date does not exist. */
function dateOf(values: Values, language: string): string | undefined {
  const year = values.get('yyyy') ?? century(values.get('yy'));
  if (year === undefined) return '';
  const name = values.get('MMMM') ?? values.get('MMM');
  const month = name === undefined ? Number(values.get('MM') ?? values.get('M')) : monthOf(name, language);
  const day = Number(values.get('dd') ?? values.get('d'));
  if (month === undefined || Number(year) < 1000) return undefined;
  const utc = new Date(Date.UTC(Number(year), month - 1, day));
  if (utc.getUTCMonth() !== month - 1 || utc.getUTCDate() !== day) return undefined;
  const weekday = values.get('EEEE') ?? values.get('EEE');
  if (weekday !== undefined && weekdayOf(weekday, language) !== utc.getUTCDay()) return undefined;
  return utc.toISOString().slice(0, 10);
}

/** Reads two digits as POSIX does: 69 to 99 are in the last century. */
function century(twoDigits: string | undefined): string | undefined {
  return twoDigits === undefined ? undefined : `${Number(twoDigits) < 69 ? '20' : '19'}${twoDigits}`;
}

function timeOf(values: Values): string | undefined {
  const written = values.get('HH') ?? values.get('H') ?? values.get('hh') ?? values.get('h');
  if (written === undefined) return '';
  const half = values.get('a')?.charAt(0).toLowerCase();
  const hour = half === undefined ? Number(written) : hourOfDay(Number(written), half);
  const [minutes, seconds] = [values.get('mm') ?? '00', values.get('ss') ?? '00'];
  if (hour === undefined || hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`;
}

/** Converts an hour of the 12-hour clock; undefined for 0 and for more than 12. */
export function hourOfDay(hour: number, half: string): number | undefined {
  return hour < 1 || hour > 12 ? undefined : (hour % 12) + (half === 'p' ? 12 : 0);
}

/** Up to the year 9999. */
const latestMs = 253_402_300_799_999;

function fromEpoch(text: string, unitMs: number): WrittenDate | undefined {
  const ms = /^-?\d{1,15}(\.\d+)?$/.test(text.trim()) ? Math.trunc(Number(text) * unitMs) : Number.NaN;
  if (!(Math.abs(ms) <= latestMs)) return undefined;
  const iso = new Date(ms).toISOString();
  return iso.length === 24 ? { date: iso.slice(0, 10), time: iso.slice(11, 19), offset: 'Z' } : undefined;
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/\s+/g, '\\s+');
}
