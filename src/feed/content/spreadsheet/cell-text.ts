/** How a number is shown: as such, or as a date or time of day. */
export type NumberFormat =
  | { is: 'number'; decimals?: number; percent: boolean; digits: number }
  | { is: 'time'; hasDate: boolean; hasTime: boolean; hasSeconds: boolean; isElapsed: boolean };

export const GENERAL: NumberFormat = { is: 'number', percent: false, digits: 0 };
const DATE = 'yyyy-mm-dd';
/** The formats that need no code in the file (ISO/IEC 29500-1, 18.8.30), by their ids. */
const builtIn: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: `${DATE} h:mm`,
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  45: 'h:mm:ss',
  46: '[h]:mm:ss',
  47: 'h:mm:ss',
};
const MS_PER_DAY = 86_400_000;
/** Day 0, from which the days after February 1900 are counted: the first spreadsheets took 1900 for a leap year. */
const START_1900 = Date.UTC(1899, 11, 30);
const START_1904 = Date.UTC(1904, 0, 1);
/** 10000-01-01. */
const END = Date.UTC(10_000, 0, 1);

/** Returns how a cell with a format is shown. @param code undefined: that of a built-in format */
export function numberFormat(id: number, code = builtIn[id]): NumberFormat {
  // In East Asian files, these ids are dates.
  if (code === undefined)
    return (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? timeFormat(DATE) : GENERAL;
  // Of several sections, the first is for positive numbers. Quoted and escaped text is shown as it is.
  const [section = ''] = code.replaceAll(/"[^"]*"|\\.|_.|\*./g, '').split(';');
  const plain = section.replaceAll(/\[(h+|m+|s+)\]|\[[^[\]]*\]/gi, (_, elapsed?: string) =>
    elapsed ? `E${elapsed}` : '',
  );
  if (/^(general|@|)$/i.test(plain.trim())) return GENERAL;
  if (/[ydhs]|m/i.test(plain.replaceAll(/E[+-]/g, ''))) return timeFormat(plain);
  const [, decimals = ''] = /[0#?]\.([0#?]+)/.exec(plain) ?? [];
  const isFixed = !/[#?]$|[/E]/.test(decimals + plain);
  const digits = /^0+$/.test(plain.trim()) ? plain.trim().length : 0;
  return { is: 'number', ...(isFixed && { decimals: decimals.length }), percent: plain.includes('%'), digits };
}

function timeFormat(code: string): NumberFormat {
  const hasTime = /[hs]|am\/pm/i.test(code);
  const hasDate = /[yd]/i.test(code) || !hasTime;
  return { is: 'time', hasDate, hasTime, hasSeconds: /s/i.test(code), isElapsed: /E[hms]/i.test(code) };
}

/** Returns the text of a number as a person sees it; dates and times as ISO 8601 writes them. */
export function numberText(value: string, format: NumberFormat, is1904: boolean): string {
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number)) return value;
  return (
    (format.is === 'time' && timeText(number, format, is1904)) ||
    plainText(number, format.is === 'number' ? format : GENERAL)
  );
}

function plainText(number: number, format: NumberFormat): string {
  const { decimals, percent, digits } = { ...GENERAL, ...format } as Extract<NumberFormat, { is: 'number' }>;
  if (Number.isSafeInteger(number) && !percent && !decimals) return String(number).padStart(digits, '0');
  // Spreadsheets show 15 digits: 0.1 + 0.2 is 0.3.
  const shown = Number((percent ? number * 100 : number).toPrecision(15));
  const text = decimals === undefined || Math.abs(shown) >= 1e15 ? String(shown) : shown.toFixed(decimals);
  return `${text.padStart(digits, '0')}${percent ? '%' : ''}`;
}

/** Returns undefined for a number that is no day. */
function timeText(days: number, format: Extract<NumberFormat, { is: 'time' }>, is1904: boolean): string | undefined {
  const { hasDate, hasTime, hasSeconds, isElapsed } = format;
  const seconds = Math.round(days * 86_400);
  if (seconds < 0) return undefined;
  const isTimeOnly = !hasDate || (days < 1 && days > 0 && !is1904);
  // The days before 1 March 1900 are one off.
  const shift = !is1904 && days < 60 ? MS_PER_DAY : 0;
  const ms = (is1904 ? START_1904 : START_1900 + shift) + seconds * 1000;
  if (ms >= END) return undefined;
  const [date = '', time = ''] = new Date(ms).toISOString().split('T');
  const clock = time.slice(0, hasSeconds && seconds % 60 !== 0 ? 8 : 5);
  if (isElapsed && seconds >= 86_400) return `${Math.floor(seconds / 3600)}${clock.slice(2)}`;
  if (isTimeOnly) return clock;
  return hasTime ? `${date} ${clock}` : date;
}
