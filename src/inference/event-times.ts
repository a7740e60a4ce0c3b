import { isTimeZone } from '../core/dates/time-zone.ts';
import { type Choice, candidates, choose } from './choose.ts';
import type { Column } from './columns.ts';
import { type DateColumn, datesOf, decideOrder } from './dates/date-column.ts';
import { orderOf } from './dates/date-order.ts';
import { liquidPath, rangeOf } from './dates/date-ranges.ts';
import { exclusiveEnds, isMidnight } from './dates/whole-days.ts';
import { eventNames, otherDates } from './event-names.ts';
import { phrases, wordsOf } from './names.ts';
import type { Answers, Guess, ProposedRule, Question } from './proposal.ts';
import { dateRule, yesNoRule } from './rules.ts';
import { yesNoFit } from './values.ts';

/** When events are: the rules, what is open, and the fields that were used. */
export interface EventTimes {
  /** Best first; undefined: the feed has no dates. */
  start?: Column;
  /** How surely the name of a field says that it is the start, 0 to 1. */
  score: number;
  map: Record<string, Guess<ProposedRule>>;
  timezone?: Guess<string>;
  used: Set<Column>;
  open: Question[];
  warnings: string[];
}

const zones = phrases(
  'timezone tz timezonename timezoneid zone iana starttimezone timezonestart zeitzone fuseauhoraire zonahoraria',
  'starttz eventtimezone',
);

/** Proposes when events start and end, from names and values. */
export function eventTimes(columns: readonly Column[], answers: Answers): EventTimes {
  const times: EventTimes = { score: 0, map: {}, used: new Set(), open: [], warnings: [] };
  const zone = zoneColumn(columns);
  const chosen = choose<'start' | 'startTime' | 'end' | 'endTime' | 'allDay'>(columns, {
    start: { names: eventNames.start, fits: dayFit(zone) },
    startTime: { names: eventNames.startTime, fits: timeFit },
    end: { names: eventNames.end, fits: dayFit(zone) },
    endTime: { names: eventNames.endTime, fits: timeFit },
    allDay: { names: eventNames.allDay, fits: yesNoFit },
  });
  const start = chosen.get('start') ?? anyDate(columns, chosen.get('end')?.column);
  if (start === undefined) return fromRange(columns, times) ?? fromParts(columns, times);
  times.start = start.column;
  times.score = start.score;
  const startDates = datesOf(start.column);
  const endDates = chosen.get('end') && datesOf(chosen.get('end')?.column as Column);
  const settle = orderSettler(columns, { start: startDates, end: endDates }, answers, times);
  const first = startDates && settle(startDates);
  const last = endDates && settle(endDates);
  if (first === undefined) return times;

  addStart();
  addEnd();
  addAllDay();
  addZone();
  return times;

  function addStart(): void {
    if (first === undefined) return;
    const { column } = first;
    const gap = first.formats.length === 0 ? fillGap(column, columns, chosen) : undefined;
    const time = chosen.get('startTime')?.column;
    if (time !== undefined && first.is === 'moment' && isMidnight(column) && first.formats.length === 0) {
      take('start', dateRule(first, { template: `{{ ${liquidPath(column)} | slice: 0, 10 }}` }), column);
    } else {
      take(
        'start',
        gap ? { ...dateRule(first, gap.rule), evidence: gap.evidence } : dateRule(first, undefined, whyOf(first)),
        column,
      );
      if (gap) times.used.add(gap.column);
    }
    if (first.is !== 'day' && !isMidnight(column)) return;
    if (time !== undefined) addTime('time.start', time);
    else addTimeRange();
  }

  function addTimeRange(): void {
    for (const { column } of candidates(columns, {
      names: eventNames.startTime,
      fits: (one) => (rangeOf(one)?.first.is === 'time' ? 1 : 0),
    })) {
      const range = rangeOf(column);
      if (range === undefined || times.used.has(column)) continue;
      take('time.start', dateRule(range.first, { template: range.templates.first }), column);
      take('time.end', dateRule(range.last, { template: range.templates.last }), column);
      return;
    }
  }

  function addEnd(): void {
    const time = chosen.get('endTime')?.column;
    const isTimed = 'time.start' in times.map || first?.is === 'moment';
    if (last !== undefined) {
      if (last.is === 'moment' && !(isMidnight(last.column) && time !== undefined))
        take('end', withGap(last), last.column);
      else if (last.is === 'moment' && last.formats.length === 0) {
        take('endDate', dateRule(last, { template: `{{ ${liquidPath(last.column)} | slice: 0, 10 }}` }), last.column);
      } else addLastDay(last);
    }
    if (time !== undefined && isTimed && !('end' in times.map) && !('time.end' in times.map)) addTime('time.end', time);
  }

  function withGap(dates: DateColumn): Guess<ProposedRule> {
    const gap = dates.formats.length === 0 ? fillGap(dates.column, columns, chosen) : undefined;
    if (gap) times.used.add(gap.column);
    return gap ? { ...dateRule(dates, gap.rule), evidence: gap.evidence } : dateRule(dates, undefined, whyOf(dates));
  }

  function addLastDay(dates: DateColumn): void {
    const exclusive = first?.is === 'day' ? exclusiveEnds(first, dates) : undefined;
    if (exclusive !== undefined) {
      const answer = answers[exclusive.question.id];
      if (answer === undefined) times.open.push(exclusive.question);
      if (answer === 'after') {
        take('endDate', exclusive.rule, dates.column);
        return;
      }
    }
    take('endDate', dateRule(dates, undefined, whyOf(dates)), dates.column);
  }

  function addTime(attribute: string, column: Column): void {
    const dates = datesOf(column);
    if (dates) take(attribute, dateRule(dates), column);
  }

  function addAllDay(): void {
    const column = chosen.get('allDay')?.column;
    if (column !== undefined) take('allDay', yesNoRule(column), column);
    else if (first?.is === 'moment' && !('time.start' in times.map) && isMidnight(first.column)) {
      take('allDay', {
        value: { value: true },
        evidence: `${first.column.path} is midnight in all records, so that it has no time of day`,
      });
    }
  }

  function addZone(): void {
    const names = [...new Set(zone?.texts)];
    const isWall = first?.zone === 'none' || 'time.start' in times.map;
    if (zone === undefined || !isWall) return;
    if (names.length > 1) {
      times.warnings.push(
        `The times are in several zones (${names.slice(0, 3).join(', ')}), which a sync cannot have: all count as wall time of the source's zone.`,
      );
    } else if (names[0] !== undefined)
      times.timezone = { value: names[0], evidence: `all records have it in ${zone.path}` };
  }

  function take(attribute: string, rule: Guess<ProposedRule>, column?: Column): void {
    times.map[attribute] = rule;
    if (column === undefined) return;
    times.used.add(column);
    const dates = datesOf(column);
    if (dates?.misfit !== undefined) {
      const count = dates.of - dates.fits;
      times.warnings.push(
        `${count} of ${dates.of} values of ${column.path} are no ${dates.is === 'time' ? 'times' : 'dates'}, such as ${JSON.stringify(dates.misfit.slice(0, 60))}: these records are rejected.`,
      );
    }
  }

  function whyOf(dates: DateColumn): string | undefined {
    return reasons.get(dates.column);
  }
}

const reasons = new WeakMap<Column, string>();

/** Returns what settles the order of day and month in a column: other data, an answer, or an open question. */
function orderSettler(
  columns: readonly Column[],
  ends: { start?: DateColumn; end?: DateColumn },
  answers: Answers,
  times: EventTimes,
) {
  return (dates: DateColumn): DateColumn => {
    if (dates.orders.length < 2) return dates;
    const decided = orderOf(dates, columns, ends);
    if (decided !== undefined) {
      reasons.set(dates.column, decided.evidence);
      return decideOrder(dates, decided.order);
    }
    const question = orderQuestion(dates);
    const answer = dates.orders.find((order) => order === answers[question.id]);
    if (answer !== undefined) return decideOrder(dates, answer);
    if (answers[question.id] === undefined && !times.open.some(({ id }) => id === question.id))
      times.open.push(question);
    return dates;
  };
}

function orderQuestion({ column, orders, formats }: DateColumn): Question {
  const sample = column.texts.find((text) => /\d/.test(text)) ?? '';
  const choices = orders.map((order) => ({
    value: order,
    label: `${order}: ${formats.find((format) => orderIn(format) === order) ?? order}`,
  }));
  return {
    id: 'order of dates',
    text: `Which number of "${sample}" (${column.path}) is the day? No value of the feed decides it.`,
    choices: [...choices, { value: 'both', label: 'unknown: reject every date that can be read as two days' }],
    safe: 'both',
    comment:
      'No value of the feed decides whether day or month comes first: dates that can be read as two days are rejected. Keep only the right format.',
  };
}

function orderIn(format: string): string | undefined {
  const [first] = /[dMy]/.exec(format.replace(/'[^']*'/g, '')) ?? [];
  return first === 'd' ? 'day first' : first === 'M' ? 'month first' : first === 'y' ? 'year first' : undefined;
}

function dayFit(zone: Column | undefined) {
  const sameZone = zone !== undefined && new Set(zone.texts).size === 1;
  return (column: Column): number => {
    const dates = datesOf(column);
    if (dates === undefined || dates.is === 'time' || isOtherDate(column)) return 0;
    const unit = dates.formats[0]?.startsWith('unix') ? 0.95 : 1;
    if (dates.is === 'day') return 0.97;
    if (dates.zone === 'Z') return (sameZone ? 0.96 : 0.98) * unit;
    return dates.zone === 'none' ? 0.99 : 1;
  };
}

function isOtherDate(column: Column): boolean {
  return column.names.some((name) => otherDates.test(wordsOf(name).join('')));
}

function timeFit(column: Column): number {
  return datesOf(column)?.is === 'time' ? 1 : 0;
}

function zoneColumn(columns: readonly Column[]): Column | undefined {
  return candidates(columns, {
    names: zones,
    fits: ({ texts }) => (texts.every((text) => isTimeZone(text) && text.includes('/')) ? 1 : 0),
  })[0]?.column;
}

/** The first date of the feed, if no name says which one is the start. */
function anyDate(columns: readonly Column[], end: Column | undefined): Choice | undefined {
  const column = columns.find((one) => {
    const dates = datesOf(one);
    const isNumber = dates?.formats.some((format) => format.startsWith('unix') || format === 'yyyyMMdd');
    return dates !== undefined && dates.is !== 'time' && one !== end && !isNumber && !isOtherDate(one);
  });
  return column && { column, score: 0.3 };
}

/** A field beside this one that has the dates of the records in which this one is empty: Google has `dateTime` or `date`. */
function fillGap(column: Column, columns: readonly Column[], chosen: ReadonlyMap<string, Choice>) {
  if (column.filled === column.values.length) return undefined;
  const isTaken = new Set([...chosen.values()].map((choice) => choice.column));
  const siblings = columns.filter(
    (other) =>
      other !== column &&
      !isTaken.has(other) &&
      other.names.length === column.names.length &&
      other.names.slice(0, -1).join() === column.names.slice(0, -1).join() &&
      column.names.length > 1,
  );
  const other = siblings.find((one) => {
    const dates = datesOf(one);
    return (
      dates !== undefined &&
      dates.is !== 'time' &&
      dates.formats.length === 0 &&
      one.values.every((value, index) => value === undefined || value === null || !column.values[index])
    );
  });
  if (other === undefined) return undefined;
  const rule = { template: `{{ ${liquidPath(column)} | default: ${liquidPath(other)} }}` };
  return {
    column: other,
    rule,
    evidence: `${column.filled} records have ${column.path}, ${other.filled} others ${other.path}`,
  };
}

function fromRange(columns: readonly Column[], times: EventTimes): EventTimes | undefined {
  const [found] = candidates(columns, {
    names: eventNames.start,
    fits: (column) => (rangeOf(column) && rangeOf(column)?.first.is !== 'time' ? 1 : 0),
  });
  const range = found && rangeOf(found.column);
  if (found === undefined || range === undefined) return undefined;
  times.start = found.column;
  times.score = found.score;
  times.used.add(found.column);
  times.map.start = dateRule(range.first, { template: range.templates.first });
  times.map[range.last.is === 'moment' ? 'end' : 'endDate'] = dateRule(range.last, { template: range.templates.last });
  return times;
}

const parts = {
  year: phrases('year jahr annee ano anno jaar ar'),
  month: phrases('month monat mois mes mese maand manad'),
  day: phrases('day tag jour dia giorno dag dayofmonth'),
};

/** A date in three fields. */
function fromParts(columns: readonly Column[], times: EventTimes): EventTimes {
  const fits = (least: number, most: number) => (column: Column) =>
    column.texts.every((text) => /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) ? 1 : 0;
  const chosen = choose<'year' | 'month' | 'day'>(columns, {
    year: { names: parts.year, fits: fits(1990, 2100) },
    month: { names: parts.month, fits: fits(1, 12) },
    day: { names: parts.day, fits: fits(1, 31) },
  });
  const [year, month, day] = (['year', 'month', 'day'] as const).map((name) => chosen.get(name)?.column);
  if (!year || !month || !day) return times;
  const template = [year, month, day].map((column) => `{{ ${liquidPath(column)} }}`).join('-');
  times.start = day;
  times.score = 0.9;
  times.map.start = {
    value: { template, format: 'yyyy-M-d' },
    evidence: 'year, month and day are fields of their own',
  };
  const time = candidates(columns, { names: eventNames.startTime, fits: timeFit })[0]?.column;
  const dates = time && datesOf(time);
  if (dates) times.map['time.start'] = dateRule(dates);
  for (const column of [year, month, day, time]) if (column) times.used.add(column);
  return times;
}
