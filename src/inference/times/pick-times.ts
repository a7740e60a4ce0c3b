import { isTimeZone } from '../../core/dates/time-zone.ts';
import { candidates, choose } from '../columns/choose.ts';
import type { Column } from '../columns/columns.ts';
import { eventNames, otherDates } from '../columns/event-names.ts';
import { nameScore, phrases, wordsOf } from '../columns/names.ts';
import type { DateColumn } from '../dates/date-column.ts';
import { datesOf } from '../dates/read-column.ts';
import { type SettledDates, settleOrder } from '../dates/settle-order.ts';
import { yesNoFit } from '../fields/values.ts';
import type { Answers } from '../proposal.ts';

/** The fields with the times of events. */
export interface TimeFields {
  /** First day of the event, or day and time of its start. */
  start: SettledDates;
  /** How surely the name of the field means the start, 0 to 1. */
  score: number;
  startTime?: Column;
  end?: SettledDates;
  endTime?: Column;
  allDay?: Column;
  zone?: Column;
  /** Start or end field → the field that has the date if the first one is empty: Google has `dateTime` or `date`. */
  instead: ReadonlyMap<Column, Column>;
}

const zones = phrases(
  'timezone tz timezonename timezoneid zone iana starttimezone timezonestart zeitzone fuseauhoraire zonahoraria',
  'starttz eventtimezone',
);
/** Names of fields with the first day of events. */
export const startNames = {
  names: eventNames.start,
  part: /\b(start|begin|beginn|debut|inicio|inizio|(date|datum|fecha|dato)\b)/,
};
/** Names of fields with the time of day of a start. */
export const startTimeNames = {
  names: eventNames.startTime,
  part: /\b(time|times|uhrzeit|heure|hora|horario|ora|tijd)\b/,
};
/** Score of a start that is not recognised by its name. */
const UNNAMED = 0.3;

/** Picks the fields with the times of events; undefined if no field is a date. */
export function pickTimes(columns: readonly Column[], answers: Answers): TimeFields | undefined {
  const zone = zoneOf(columns);
  const chosen = choose<'start' | 'startTime' | 'end' | 'endTime' | 'allDay'>(columns, {
    start: { ...startNames, fits: dayFit(zone) },
    startTime: { ...startTimeNames, fits: timeFit },
    end: { names: eventNames.end, part: /\b(end|ende|fin|fine|fim|finish)\b/, fits: dayFit(zone) },
    endTime: { names: eventNames.endTime, fits: timeFit },
    allDay: { names: eventNames.allDay, fits: yesNoFit },
  });
  const column = (name: 'start' | 'startTime' | 'end' | 'endTime' | 'allDay') => chosen.get(name)?.column;
  const start = column('start') ?? columns.find((one) => one !== column('end') && isAnyDate(one));
  const [first, last] = [start, column('end')].map((one) => one && datesOf(one));
  if (start === undefined || first === undefined) return undefined;
  const ends = { start: first, end: last };
  const taken = new Set([start, ...[...chosen.values()].map((choice) => choice.column)]);
  const gaps = [start, column('end')].flatMap((one) => {
    const other = one && otherHalf(one, columns, taken);
    return other ? [[one, other] as const] : [];
  });
  return {
    start: settleOrder(first, columns, ends, answers),
    score: chosen.get('start')?.score ?? UNNAMED,
    startTime: column('startTime'),
    ...(last && { end: settleOrder(last, columns, ends, answers) }),
    endTime: column('endTime'),
    allDay: column('allDay'),
    zone,
    instead: new Map(gaps),
  };
}

/** How well values fit days of events. Wall times, which visitors read, are preferred to UTC. */
function dayFit(zone: Column | undefined) {
  const hasOneZone = zone !== undefined && new Set(zone.texts).size === 1;
  return (column: Column): number => {
    const dates = datesOf(column);
    if (dates === undefined || dates.is === 'time' || isOtherDate(column)) return 0;
    return (0.9 + (0.1 * dates.fits) / dates.of) * zoneFit(dates, hasOneZone);
  };
}

function zoneFit(dates: DateColumn, hasOneZone: boolean): number {
  if (dates.is === 'day') return 0.97;
  if (dates.zone === 'offset') return 1;
  if (dates.zone === 'none') return 0.99;
  return (hasOneZone ? 0.96 : 0.98) * (dates.formats.length > 0 ? 0.95 : 1);
}

/** How well values fit times of day. */
export function timeFit(column: Column): number {
  return datesOf(column)?.is === 'time' ? 1 : 0;
}

function isOtherDate(column: Column): boolean {
  return column.names.some((name) => otherDates.test(wordsOf(name).join('')));
}

function zoneOf(columns: readonly Column[]): Column | undefined {
  const fits = ({ texts }: Column) => (texts.every((text) => isTimeZone(text) && text.includes('/')) ? 1 : 0);
  return candidates(columns, { names: zones, fits })[0]?.column;
}

/** Whether the values are dates rather than numbers that look like dates. */
function isAnyDate(column: Column): boolean {
  const dates = datesOf(column);
  if (dates === undefined || dates.is === 'time' || isOtherDate(column)) return false;
  return !dates.formats.some((format) => format.startsWith('unix') || format === 'yyyyMMdd');
}

/** Returns another field of the same object that has dates only in records in which this column is empty. */
function otherHalf(column: Column, columns: readonly Column[], taken: ReadonlySet<Column>): Column | undefined {
  if (column.filled === column.values.length || datesOf(column)?.formats.length !== 0) return undefined;
  const parent = column.names.slice(0, -1).join('\n');
  return columns.find((other) => {
    if (taken.has(other) || other.names.slice(0, -1).join('\n') !== parent) return false;
    if (parent === '' && nameScore(other.names, eventNames.start) === 0) return false;
    const dates = datesOf(other);
    const isComplement = other.values.every((value, index) => !value || !column.values[index]);
    return dates !== undefined && dates.is !== 'time' && dates.formats.length === 0 && isComplement;
  });
}
