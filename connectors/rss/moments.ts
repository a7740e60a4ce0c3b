import { compileDateFormat } from '../../src/core/dates/date-format.ts';

/** How RSS, its extensions and Atom write dates and times (RFC 822, RFC 5545, ISO 8601), and how people do in English. */
const formats = [
  'yyyy-MM-dd',
  'yyyyMMdd',
  ...['', 'XXX'].flatMap((offset) => [
    `yyyyMMdd'T'HHmmss${offset}`,
    `yyyyMMdd'T'HHmm${offset}`,
    ...["'T'", ' '].flatMap((between) => [
      `yyyy-MM-dd${between}HH:mm:ss${offset}`,
      `yyyy-MM-dd${between}HH:mm${offset}`,
    ]),
  ]),
  ...['EEE, ', 'EEE ', ''].flatMap((weekday) => [
    `${weekday}d MMM yyyy HH:mm:ss XXX`,
    `${weekday}d MMM yyyy HH:mm XXX`,
  ]),
  'MMMM d, yyyy',
  'EEEE, MMMM d, yyyy',
  'MMMM d, yyyy h:mm a',
  'yyyy-MM-dd h:mm a',
].map((format) => compileDateFormat(format));

/** The names that RFC 822 gives to offsets. */
const offsets: Readonly<Record<string, string>> = {
  GMT: 'Z',
  UT: 'Z',
  UTC: 'Z',
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
};

/** Reads a date as YYYY-MM-DD, a time with its date as YYYY-MM-DDTHH:MM:SS, with the offset if it has one. Undefined: it is neither. */
export function readMoment(text: string): string | undefined {
  const plain = text
    .trim()
    .replace(/(:\d\d)\.\d+/, '$1')
    .replace(/\b[A-Z]{2,3}$/, (name) => offsets[name] ?? name);
  if (plain.length > 60) return undefined;
  for (const read of formats) {
    const { date, time = '', offset = '' } = read(plain) ?? {};
    if (date) return `${date}${time && `T${time}`}${offset.replace(/(?<=\d\d)(?=\d\d$)/, ':')}`;
  }
  return undefined;
}

const clocks = ['h:mm a', 'h a', 'HH:mm:ss', 'H:mm'].map((format) => compileDateFormat(format));

/** Reads a time of day as HH:MM:SS. */
export function readClock(text: string): string | undefined {
  return clocks.map((read) => read(text)?.time).find((time) => time !== undefined);
}
