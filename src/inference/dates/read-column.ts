import type { DateOrder } from '../../core/dates/written-forms.ts';
import { inUtc, parseMoment, parseTime } from '../../mapping/time.ts';
import type { Column } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { isNamedDate, isNamedId } from '../columns/ids.ts';
import { nameScore, wordsOf } from '../columns/names.ts';
import { counted, type DateColumn } from './date-column.ts';
import { readRanges } from './date-ranges.ts';
import { existingForms, isInThaiYear, isMostly, readWritten } from './read-written.ts';

/** Number of different values to read; more values do not give a better result. */
const MAX_TEXTS = 2000;
const OLDEST_MS = Date.UTC(1990, 0);
const NEWEST_MS = Date.UTC(2100, 0);
/** 1 January 2000 and 1 January 2060, as spreadsheets count days. */
const FIRST_DAY = '36526';
const LAST_DAY = '58441';
const noOrders = { orders: new Map(), deciding: 0 };

const known = new WeakMap<Column, { dates?: DateColumn }>();

/**
 * Reads a column as dates or times, only once per column. Returns undefined if too few values are dates or times, or if the
 * column is named as an id.
 */
export function datesOf(column: Column): DateColumn | undefined {
  const read = known.get(column) ?? { dates: isNamedId(column) ? undefined : datesByValues(column) };
  known.set(column, read);
  return read.dates;
}

/** Reads dates again in an order that other data has decided. @param separator character between the numbers of these dates */
export function decideOrder(dates: DateColumn, separator: string, order: DateOrder): DateColumn {
  const orders = new Map([...dates.orders, [separator, [order]] as const]);
  const read = readWritten(dates.column, textsOf(dates.column), orders);
  const { range, last } = dates;
  return read ? { ...withNamedZone(read), ...(range && { range }), ...(last && { last }) } : dates;
}

/** Reads a column as dates or times whatever its name is. */
export function datesByValues(column: Column): DateColumn | undefined {
  const dates = readDates(column);
  if (dates?.misfits.length === 0) return dates;
  const ranges = readRanges(column, readDates);
  return ranges && ranges.fits > (dates?.fits ?? 0) ? ranges : dates;
}

function readDates(column: Column): DateColumn | undefined {
  if (column.isList && column.texts.length > column.filled) return undefined;
  const texts = textsOf(column);
  if (texts.length === 0) return undefined;
  const dates =
    readIso(column, texts) ?? readEpoch(column, texts) ?? readSpreadsheet(column, texts) ?? readWritten(column, texts);
  return dates && withNamedZone(dates);
}

/** Adds the zone that a name says: `start_utc`, `dateGMT`, `dtstart_z`. */
function withNamedZone(dates: DateColumn): DateColumn {
  if (dates.zone !== 'none' || !saysUtc(dates.column)) return dates;
  return { ...dates, zone: dates.formats.length > 0 ? 'named UTC' : 'field named UTC' };
}

/** Returns whether a name says UTC, also in brackets: `Start (UTC)`. `GMT+1` is another zone. */
export function saysUtc({ names }: Column): boolean {
  const words = names.flatMap((name) => wordsOf(name.replace(/[()[\]]/g, ' ')));
  if (names.some((name) => /(utc|gmt)\s*[+-]\s*\d/i.test(name))) return false;
  return words.some((word) => /^(utc|gmt|zulu)$/.test(word)) || (words.length > 1 && words.at(-1) === 'z');
}

function textsOf(column: Column): string[] {
  return [...new Set(column.texts)].slice(0, MAX_TEXTS);
}

function readIso(column: Column, texts: readonly string[]): DateColumn | undefined {
  const dates = texts.filter((text) => parseMoment(text, inUtc) !== undefined);
  const times = texts.filter((text) => parseTime(text) !== undefined);
  const read = times.length > dates.length ? times : dates;
  const isRead = new Set(read);
  if (!isMostly(column, isRead)) return undefined;
  const others = texts.filter((text) => !isRead.has(text));
  // Other values may be dates or times that need a format.
  if (others.some((text) => existingForms(text).some(({ is }) => (is === 'time') === (read === times))))
    return undefined;
  const counts = { ...counted(column, others), formats: [], ...noOrders };
  if (read === times) return { ...counts, is: 'time' };
  // A format can say that the years are those of Thailand.
  if (dates.every((text) => isInThaiYear({ text }))) return undefined;
  const moments = dates.filter((text) => !/^\d{4}-\d{2}-\d{2}$/.test(text));
  return moments.length === 0 ? { ...counts, is: 'day' } : { ...counts, is: 'moment', zone: zoneOf(moments) };
}

function zoneOf(moments: readonly string[]): DateColumn['zone'] {
  if (moments.some((text) => /[+-]\d{2}(:?\d{2})?(\[|$)/.test(text.slice(11)))) return 'offset';
  return moments.some((text) => /z$/i.test(text)) ? 'Z' : 'none';
}

function readEpoch(column: Column, texts: readonly string[]): DateColumn | undefined {
  const isSeconds = texts.every((text) => /^\d{9,10}(\.\d+)?$/.test(text));
  const isMilliseconds = texts.every((text) => /^\d{12,13}$/.test(text));
  const isPlausible = (text: string) => {
    const ms = Number(text) * (isSeconds ? 1000 : 1);
    return ms > OLDEST_MS && ms < NEWEST_MS;
  };
  if (!(isSeconds || isMilliseconds) || !texts.every(isPlausible)) return undefined;
  return { ...counted(column, []), is: 'moment', formats: [isSeconds ? 'unix' : 'unix-ms'], ...noOrders, zone: 'Z' };
}

/** Reads days since 1900 and parts of days, as spreadsheets export them. Only the name of the field shows that these are dates. */
function readSpreadsheet(column: Column, texts: readonly string[]): DateColumn | undefined {
  const dictionaries = [eventNames.start, eventNames.startTime, eventNames.end, eventNames.endTime];
  if (!isNamedDate(column) && dictionaries.every((names) => nameScore(column.names, names) === 0)) return undefined;
  const counts = { ...counted(column, []), formats: ['excel'], ...noOrders };
  if (texts.every((text) => /^[01]$|^0[.,]\d+$/.test(text)) && texts.some((text) => /[.,]/.test(text))) {
    return { ...counts, is: 'time' };
  }
  const isDay = (text: string) => /^\d{5}(?:[.,]\d+)?$/.test(text) && text > FIRST_DAY && text < LAST_DAY;
  if (!texts.every(isDay)) return undefined;
  return texts.some((text) => /[.,]/.test(text)) ? { ...counts, is: 'moment', zone: 'none' } : { ...counts, is: 'day' };
}
