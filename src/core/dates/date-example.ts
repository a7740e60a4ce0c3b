import { compileDateFormat } from './date-format.ts';

/** The evening of the last day of a year: its parts cannot be taken for each other. */
const EXAMPLE = new Date(Date.UTC(2027, 11, 31, 18, 30));

/** Returns a date as a format writes it; undefined if the format does not read it as that date. */
export function dateExample(format: string, language = 'en', year?: string): string | undefined {
  const named = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(EXAMPLE);
  const parts: Partial<Record<string, () => string>> = {
    ...{ yyyy: () => '2027', y: () => '2027', yy: () => '27', dd: () => '31', d: () => '31' },
    ...{ MM: () => '12', M: () => '12', MMM: () => named({ month: 'short' }), MMMM: () => named({ month: 'long' }) },
    ...{ EEE: () => named({ weekday: 'short' }), EEEE: () => named({ weekday: 'long' }) },
    ...{ HH: () => '18', H: () => '18', hh: () => '06', h: () => '6', mm: () => '30', m: () => '30', ss: () => '00' },
    ...{ a: () => 'PM' },
  };
  const written = format.replace(/'([^']*)'|([A-Za-z])\2*/g, (token, quoted: string | undefined) =>
    quoted === undefined ? (parts[token]?.() ?? token) : quoted || "'",
  );
  const { date = '2027-12-31', time = '18:30' } = compileDateFormat(format, language, year)(written) ?? { date: '' };
  return date.endsWith('-12-31') && /^18:(30|00)/.test(time) ? written : undefined;
}
