import { candidates, choose, type Role } from '../columns/choose.ts';
import type { Column } from '../columns/columns.ts';
import { endWords, eventNames, isOtherDateName, startWords } from '../columns/event-names.ts';
import { nameScore, wordsOf } from '../columns/names.ts';
import { type Corrections, chosenColumns } from '../correct/corrections.ts';
import type { DateColumn } from '../dates/date-column.ts';
import { datesByValues, datesOf } from '../dates/read-column.ts';
import { type SettledDates, settleOrder } from '../dates/settle-order.ts';
import { yesNoFit } from '../fields/values.ts';
import { doubtOfEnd, doubtOfHalf, doubtOfStart, hasOddSeconds } from './doubts.ts';
import { writtenDates } from './posts.ts';
import { isOtherTime, likeliestStart } from './unnamed-times.ts';
import { zoneField } from './zone-field.ts';

/** The fields with the times of events. */
export interface TimeFields {
  /** First day of the event, or day and time of its start. */
  start: SettledDates;
  /** How surely the name of the field means the start, 0 to 1. */
  score: number;
  /** Whether the start is a guess: the field has dates, but neither its name nor a person says that it is the start. */
  isGuess: boolean;
  /** What else is uncertain about the lines. */
  doubts: Readonly<Record<'start' | 'end', readonly string[]>>;
  startTime?: Column;
  end?: SettledDates;
  /** A field named as the end, in another zone than the start. */
  unreadEnd?: Column;
  endTime?: Column;
  allDay?: Column;
  zone?: Column;
}

/** Names of fields with the first day of events. */
export const startNames = {
  names: eventNames.start,
  part: /\b(start|begin|beginn|debut|inicio|inizio|(date|datum|fecha|dato|data|dt|termin|tarih|idopont|pvm)\b)/,
};
/** Names of fields with the time of day of a start. */
export const startTimeNames = {
  names: eventNames.startTime,
  part: /\b(time|times|uhrzeit|heure|hora|horario|ora|tijd)\b/,
};
/** Score above which a name surely means the start. */
const SURE = 0.6;
/** Score of a start that is not recognised by its name. */
export const UNNAMED = 0.3;

/** The id of the question which field has the start. */
export const START_QUESTION = 'start';

type Part = 'start' | 'startTime' | 'end' | 'endTime' | 'allDay';

/** Picks the fields with the times of events; undefined if no field is the start. */
export function pickTimes(columns: readonly Column[], corrections: Corrections): TimeFields | undefined {
  const { answers } = corrections;
  const zone = zoneField(columns);
  const endRole = { names: eventNames.end, part: endWords, fits: dayFit(zone) };
  const said = chosenParts(corrections, columns);
  const isSaid = new Set([...said.values()]);
  const written = writtenDates(columns);
  const free = columns.filter((one) => !isSaid.has(one) && !written.has(one));
  const roles: Record<Part, Role> = {
    start: { ...startNames, fits: (column) => (isEnd(column) ? 0 : dayFit(zone)(column)) },
    startTime: { ...startTimeNames, fits: timeFit },
    end: endRole,
    endTime: { names: eventNames.endTime, fits: timeFit },
    allDay: { names: eventNames.allDay, fits: yesNoFit },
  };
  const chosen = choose<Part>(
    free,
    Object.fromEntries(Object.entries(roles).filter(([part]) => !said.has(part as Part))),
  );
  const column = (part: Part) => (said.has(part) ? said.get(part) : chosen.get(part)?.column);
  const answered = columns.find((one) => one.path === answers[START_QUESTION] && isDay(one));
  const known = said.has('start') ? said.get('start') : (answered ?? column('start'));
  const mayGuess = !said.has('start') && answers[START_QUESTION] === undefined;
  const start = known ?? (mayGuess ? likeliestStart(free.filter(isAnyDate)) : undefined);
  const first = start && readDates(start, isSaid);
  if (start === undefined || first === undefined) return undefined;
  const ofEnd = said.has('end') ? [] : candidates(free, endRole).map((one) => one.column);
  // The end in the object of the start belongs to it: the end of a series is elsewhere.
  const beside = ofEnd.find((one) => one !== start && parentOf(one) !== '' && parentOf(one) === parentOf(start));
  const named = beside ?? (column('end') === start ? undefined : column('end'));
  const end = named && [named, ...ofEnd].find(isInZoneOf(first));
  const last = end ? readDates(end, isSaid) : first.last;
  const taken = new Set<Column | undefined>([start, end, ...[...chosen.values()].map((choice) => choice.column)]);
  // Doors open before the start.
  const namedTime = column('startTime');
  const isClock = (one: Column) => !isOtherTime(one) && !hasOddSeconds(datesOf(one));
  const startTime = namedTime && (said.has('startTime') || isClock(namedTime)) ? namedTime : undefined;
  const endTime = column('endTime');
  const score = chosen.get('start')?.score ?? UNNAMED;
  const isOther = (one: Column) => isAnyDate(one) && !taken.has(one) && one !== endTime;
  const others = said.has('start') ? [] : free.filter(isOther);
  return {
    start: settleOrder(first, answers),
    score,
    isGuess:
      known === undefined ||
      (known !== answered && !said.has('start') && (hasOddSeconds(first) || (score < SURE && others.length > 0))),
    doubts: {
      start: [...doubtOfStart(start, others), ...doubtOfHalf(startTime ? datesOf(startTime) : first)],
      end: doubtOfEnd(first, last),
    },
    startTime,
    ...(last && { end: settleOrder(last, answers) }),
    ...(named !== end && { unreadEnd: named }),
    endTime,
    allDay: column('allDay'),
    zone,
  };
}

/**
 * Returns the fields that a person has chosen for the times, by part. A part that is present without a column stays empty: whoever
 * names only a day as the start means that the events last all day.
 */
function chosenParts(corrections: Corrections, columns: readonly Column[]): Map<Part, Column | undefined> {
  const [start, end, allDay] = ['start', 'end', 'allDay'].map((line) => chosenColumns(corrections, line, columns));
  return new Map<Part, Column | undefined>([
    ...(start
      ? ([
          ['start', start.find(isNoTime)],
          ['startTime', start.find(isTimeOfDay)],
        ] as const)
      : []),
    ...(end
      ? ([
          ['end', end.find(isNoTime)],
          ['endTime', end.find(isTimeOfDay)],
        ] as const)
      : []),
    ...(allDay ? ([['allDay', allDay[0]]] as const) : []),
  ]);
}

/** Returns whether the values are times of day, or ranges of these. */
function isTimeOfDay(column: Column): boolean {
  return datesByValues(column)?.is === 'time';
}

function isNoTime(column: Column): boolean {
  return !isTimeOfDay(column);
}

/** Reads a column as dates; a column that a person has chosen also if it is named as an id. */
function readDates(column: Column, isSaid: ReadonlySet<Column | undefined>): DateColumn | undefined {
  return isSaid.has(column) ? datesByValues(column) : datesOf(column);
}

/** Returns whether a sync, which has one zone for wall times, can read an end beside the start. */
function isInZoneOf(start: DateColumn) {
  return (end: Column): boolean => {
    const zones = [start.zone, datesOf(end)?.zone];
    return end !== start.column && !(zones.includes('none') && zones.includes('field named UTC'));
  };
}

/** Returns whether a field is named as the end of events only. */
export function isEnd({ names }: Column): boolean {
  const words = names.flatMap(wordsOf).join(' ');
  return (nameScore(names, eventNames.end) > 0 || endWords.test(words)) && !startWords.test(words);
}

/** Returns whether the values are days, with or without times. */
export function isDay(column: Column): boolean {
  const dates = datesOf(column);
  return dates !== undefined && dates.is !== 'time' && !isNumber(dates);
}

/** Returns whether numbers only look like dates. */
function isNumber({ formats }: DateColumn): boolean {
  return formats.some((format) => format.startsWith('unix') || format === 'yyyyMMdd' || format === 'excel');
}

/** How well values fit days of events. Wall times, which visitors read, are preferred to UTC. */
function dayFit(zone: Column | undefined) {
  const zones = new Set(zone?.texts).size;
  return (column: Column): number => {
    const dates = datesOf(column);
    if (dates === undefined || dates.is === 'time' || isOtherDate(column)) return 0;
    return (0.9 + (0.1 * dates.fits) / dates.of) * zoneFit(dates, zones);
  };
}

/** @param zones number of zones in the field with the zone. A sync reads wall times of one zone only. */
function zoneFit(dates: DateColumn, zones: number): number {
  if (dates.is === 'day') return 0.97;
  if (dates.zone === 'offset') return 1;
  if (dates.zone === 'none') return zones > 1 ? 0.96 : 0.99;
  return (zones === 1 ? 0.96 : 0.98) * (dates.formats.length > 0 ? 0.95 : 1);
}

/** How well values fit times of day. */
export function timeFit(column: Column): number {
  return datesOf(column)?.is === 'time' ? 1 : 0;
}

function isOtherDate(column: Column): boolean {
  return column.names.some((name) => isOtherDateName(wordsOf(name).join('')));
}

/** Whether the values may be the start of events, whatever the name of the field is. */
function isAnyDate(column: Column): boolean {
  const isMilliseconds = datesOf(column)?.formats[0] === 'unix-ms';
  return (isDay(column) || isMilliseconds) && !isOtherDate(column) && !isEnd(column);
}

function parentOf({ names }: Column): string {
  return names.slice(0, -1).join('\n');
}
