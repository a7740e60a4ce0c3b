import { compileDateFormat } from './date-format.ts';

const dates = [
  'd.M.yyyy',
  'd/M/yyyy',
  'M/d/yyyy',
  'd-M-yyyy',
  'yyyy/M/d',
  'yyyyMMdd',
  'd.M.yy',
  'd MMMM yyyy',
  'MMMM d, yyyy',
];
const times = ['H:mm', 'H:mm:ss', 'h:mm a', 'H.mm'];
const usual = [...dates, ...dates.flatMap((date) => times.flatMap((time) => [`${date} ${time}`, `${date}, ${time}`]))];
const timesOnly = ['H.mm', "H'h'mm", "H:mm 'Uhr'"];

const kinds: readonly string[] = ['date', 'time', 'moment'];

let readers:
  | Record<'time' | 'other', Array<{ format: string; read: ReturnType<typeof compileDateFormat> }>>
  | undefined;

/**
 * Returns the usual formats that a date or time may be written in, the likeliest first.
 * @param kind of its attribute
 */
export function formatsOf(value: unknown, kind: string): string[] {
  if (typeof value !== 'string' || !kinds.includes(kind)) return [];
  readers ??= { time: timesOnly.map(toReader), other: usual.map(toReader) };
  const fitting = readers[kind === 'time' ? 'time' : 'other'].filter(({ read }) => read(value) !== undefined);
  return fitting.map(({ format }) => format);
}

function toReader(format: string) {
  return { format, read: compileDateFormat(format) };
}

/** Returns the end of a message about a value that is not in a format: the line to write, if one of the usual formats fits. */
export function formatHint(value: unknown, kind: string): string {
  // A comma or an apostrophe would mean something else in YAML.
  const formats = formatsOf(value, kind).map((format) => (/[,']/.test(format) ? `"${format}"` : format));
  return formats.length === 0 ? '' : `; add format: ${formats.slice(0, 2).join(' or ')}`;
}
