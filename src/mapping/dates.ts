import type { FieldRule } from '../config/types.ts';
import type { AttributeKind } from '../core/attributes.ts';
import { compileDateFormat, isWrittenIn, type WrittenDate } from '../core/dates/date-format.ts';
import { isIsoDate } from '../core/dates/iso-date.ts';
import { isTimeOfSheet, noDayReason, SHEET_TIME } from '../core/dates/no-day.ts';
import { type WrittenForm, writtenForms } from '../core/dates/written-forms.ts';
import { CodedError } from '../core/errors.ts';
import { showValue } from './text.ts';
import { inUtc, parseMoment, parseTime, type Zones } from './time.ts';

/**
 * Creates a reader of dates in the formats of a rule that returns ISO 8601: dates and times alone unchanged, date-times as
 * wall time of the site (for `start` and `end` with their zone, which these attributes convert). The reader throws CodedError
 * FF_RECORD_DATE for a text in none of the formats, and for a text that two formats read differently.
 */
export function dateReader(rule: FieldRule, kind: AttributeKind, zones: Zones): (value: unknown) => string {
  const { format: formats = [], zone = zones.sourceTimezone, language, year } = rule;
  const readers = formats.map((format) => compileDateFormat(format, language, year));
  return (value) => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    const written = readers.map((read) => read(text)).filter((date) => date !== undefined);
    const readings = new Set(written.map((date) => toIso(date, zone, kind, zones)));
    const [iso, other] = readings;
    if (iso === undefined) {
      throw new CodedError('FF_RECORD_DATE', `${showValue(value)} ${mistakeOf(text)}`);
    }
    if (other !== undefined) {
      throw new CodedError('FF_RECORD_DATE', `${showValue(value)} is ambiguous: ${[...readings].join(' or ')}`);
    }
    if (kind === 'date' || kind === 'moment') checkDay(written[0]?.date ?? '', value);
    return iso;
  };

  function mistakeOf(text: string): string {
    const written = formats.find((format) => isWrittenIn(format, text, language));
    if (written === undefined) return `is not a date in the format ${formats.join(' or ')}${formatHint(text, kind)}`;
    if (/E/.test(written)) return `is not a calendar date, or is on another weekday (format ${written})`;
    return `is not a ${/[yM]/.test(written) ? 'calendar date' : 'time of day'} (format ${written})`;
  }
}

/**
 * Refuses a day that programs write if they have none.
 * @param value as the feed has it
 * @throws CodedError FF_RECORD_DATE
 */
export function checkDay(date: string, value: unknown): void {
  const reason = noDayReason(date);
  if (reason === undefined) return;
  const text = String(value).trim();
  if (isTimeOfSheet(text) && !/T00:00/.test(text)) {
    throw new CodedError('FF_RECORD_DATE', `${showValue(value)} ${SHEET_TIME}`);
  }
  const words = JSON.stringify([text]);
  const message = `${showValue(value)} is no real day: it is ${reason}, which programs write if there is none. To read it as no day, add \`empty: ${words}\` to the rule`;
  throw new CodedError('FF_RECORD_DATE', message);
}

function toIso({ date, time, offset }: WrittenDate, zone: string, kind: AttributeKind, zones: Zones): string {
  if (date === undefined || time === undefined) return date ?? time ?? '';
  const exact = `${date}T${time}${offset ?? `[${zone}]`}`;
  if (kind === 'moment') return exact;
  const moment = parseMoment(exact, zones);
  if (moment?.is !== 'time') throw new CodedError('FF_RECORD_DATE', `${exact} does not exist`);
  if (kind === 'date') return moment.date;
  return kind === 'time' ? moment.time : `${moment.date}T${moment.time}`;
}

/** Returns the end of a message about a value that is not in a format: the line to write, if one of the usual formats fits. */
export function formatHint(value: unknown, kind: AttributeKind): string {
  // A comma or an apostrophe would mean something else in YAML.
  const formats = formatsOf(value, kind).map((format) => (/[,']/.test(format) ? `"${format}"` : format));
  return formats.length === 0 ? '' : `; add format: ${formats.slice(0, 2).join(' or ')}`;
}

/** Whether a text is a value of each kind of date as it is written. */
const isRead: Partial<Record<AttributeKind, (text: string) => boolean>> = {
  date: isIsoDate,
  time: (text) => parseTime(text) !== undefined,
  moment: (text) => parseMoment(text, inUtc) !== undefined,
};

/**
 * Returns the usual formats that a date or time may be written in, the likeliest first; none if it needs no format.
 * @param kind of its attribute
 */
export function formatsOf(value: unknown, kind: AttributeKind): string[] {
  const text = typeof value === 'string' ? value.trim().replace(/\s+/g, ' ') : '';
  if (isRead[kind]?.(text) !== false) return [];
  const forms = writtenForms(text).filter((form) => (form.is === 'time') === (kind === 'time') && isUsual(form));
  return forms.flatMap(({ format }) => (compileDateFormat(format)(text) ? [format] : []));
}

/** Month first is usual with slashes, a short year last. A format with the name of a zone would read it as mere text. */
function isUsual({ format, order = 'day first', separator }: WrittenForm): boolean {
  return (order === 'day first' || (order === 'month first' && separator === '/')) && !/'[A-Z]{2,4}'/.test(format);
}
