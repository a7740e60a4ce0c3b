import { candidates } from '../columns/choose.ts';
import { type Column, fieldOf, shareThat } from '../columns/columns.ts';
import { type Corrections, chosenColumns, lineOf } from '../correct/corrections.ts';
import { liquidPath } from '../dates/date-ranges.ts';
import { datesOf } from '../dates/read-column.ts';
import type { SettledDates } from '../dates/settle-order.ts';
import { endsDays, exclusiveEnds, isMidnight, wholeDaysInUtc } from '../dates/whole-days.ts';
import { dateRule, yesNoRule } from '../fields/rules.ts';
import type { Answers, Guess, ProposedRule, Question } from '../proposal.ts';
import { clockRule, clockRules, ruleOf } from './clock-rules.ts';
import { zoneByTexts } from './clocks-in-texts.ts';
import { midnightEnds } from './midnight-ends.ts';
import { isDay, isEnd, pickTimes, START_QUESTION, startTimeNames, type TimeFields, UNNAMED } from './pick-times.ts';
import type { TimeRule } from './time-rule.ts';
import { utcTimes, zoneOf } from './time-zones.ts';
import { isOtherTime } from './unnamed-times.ts';
import { fromYearless } from './yearless.ts';
import { unreadZones } from './zone-field.ts';

/** The times of events: the rules, the fields that the rules read, and the open questions. */
export interface EventTimes {
  /** Undefined if the feed has no dates. */
  start?: Column;
  /** How surely the name of the field means the start, 0 to 1. */
  score: number;
  map: ReadonlyMap<string, Guess<ProposedRule>>;
  timezone?: Guess<string>;
  used: ReadonlySet<Column>;
  open: readonly Question[];
  warnings: readonly string[];
}

/** Proposes rules for the start and end of events, from names and values. */
export function eventTimes(columns: readonly Column[], corrections: Corrections): EventTimes {
  const { answers } = corrections;
  const said = chosenColumns(corrections, 'start', columns);
  const fields = pickTimes(columns, corrections);
  if (fields === undefined) {
    const yearless = yearlessStart(said ?? columns, corrections);
    if (yearless) return yearless;
    return said ? unreadStart(said) : withoutStart(columns, answers);
  }
  const start = startRule(fields);
  const times = timeRules(fields);
  const hasTime = isTimed(fields) || times.length > 0;
  const rules = [start, ...times, ...endRules(fields, hasTime, corrections), ...allDayRules(fields, hasTime)].map(
    (rule) => withDoubts(rule, fields.doubts),
  );
  const proposed = fromRules(rules, fields);
  const hasOwnZone = proposed.timezone !== undefined || fields.zone !== undefined || fields.start.dates.zone !== 'none';
  const zones = hasOwnZone ? [] : unreadZones(columns);
  const unread = hasTime ? zones : unreadTimes(columns, proposed.used);
  const asked = fields.isGuess ? [startQuestion(columns, fields.start.dates.column.path)] : [];
  const isSaid = Object.hasOwn(corrections.lines, 'source.timezone');
  const isUnsaid = hasTime && !hasOwnZone && zones.length === 0 && !isSaid;
  const { timezone, question } = isUnsaid ? zoneByTexts(columns, proposed.used, answers) : {};
  const open = [...asked, ...proposed.open, ...(question ? [question] : [])];
  return {
    ...proposed,
    ...(timezone && { timezone }),
    open,
    warnings: [...proposed.warnings, ...doubtsIn(fields, rules), ...unread],
  };
}

/** Marks the first rule of a doubtful line in its evidence. */
function withDoubts(rule: TimeRule, doubts: TimeFields['doubts']): TimeRule {
  const line = lineOf(rule.attribute);
  const isFirst = rule.attribute === 'start' || line === 'end';
  const [doubt] = isFirst && (line === 'start' || line === 'end') ? doubts[line] : [];
  if (doubt === undefined) return rule;
  return { ...rule, rule: { ...rule.rule, evidence: `${rule.rule.evidence}; doubtful: ${doubt}` } };
}

function doubtsIn({ doubts }: TimeFields, rules: readonly TimeRule[]): string[] {
  const lines = new Set(rules.map(({ attribute }) => lineOf(attribute)));
  return (['start', 'end'] as const).flatMap((line) =>
    lines.has(line) ? doubts[line].map((doubt) => `${line}: doubtful: ${doubt}.`) : [],
  );
}

/** Returns a warning if no rule reads the times of a field. Otherwise the events would be all-day without notice. */
function unreadTimes(columns: readonly Column[], used: ReadonlySet<Column>): string[] {
  const unnamed = columns.find((column) => !used.has(column) && !isOtherTime(column) && datesOf(column)?.is === 'time');
  if (unnamed !== undefined) {
    const shown = JSON.stringify(unnamed.texts[0]?.slice(0, 40));
    return [
      `${unnamed.path} has times, such as ${shown}, but is not named as the time of the start: the events count as all-day.`,
    ];
  }
  const fits = (column: Column) => (!used.has(column) && shareThat(column, (text) => /\d/.test(text)) > 0.5 ? 1 : 0);
  const [time] = candidates(columns, { ...startTimeNames, fits });
  if (time === undefined || datesOf(time.column)?.is === 'day') return [];
  const shown = JSON.stringify(time.column.texts.find((text) => /\d/.test(text))?.slice(0, 40));
  return [
    `${time.column.path} seems to have times, such as ${shown}, which no format reads: the events count as all-day.`,
  ];
}

function fromRules(rules: readonly TimeRule[], fields: TimeFields | undefined): EventTimes {
  const used = new Set(rules.flatMap(({ reads }) => reads));
  const questions = [...rules.map(({ question }) => question), fields?.start.question, fields?.end?.question];
  const open = new Map(questions.flatMap((question) => (question ? [[question.id, question] as const] : [])));
  const zone = fields && zoneOf(fields, rules);
  return {
    start: fields ? fieldOf(fields.start.dates.column) : rules[0]?.reads[0],
    score: fields?.score ?? (rules.length > 0 ? 0.9 : 0),
    map: new Map(rules.map(({ attribute, rule }) => [attribute, rule])),
    ...(zone?.timezone && { timezone: zone.timezone }),
    used,
    open: [...open.values()],
    warnings: [
      ...rules.flatMap(({ warning }) => warning ?? []),
      ...rules.flatMap(misfits),
      ...rules.flatMap(utcTimes),
      ...(zone?.warning ? [zone.warning] : []),
    ],
  };
}

/** Asks for the start if there are dates, but none is named as a start. An end, or the date of a change, is never taken for it. */
function withoutStart(columns: readonly Column[], answers: Answers): EventTimes {
  const dates = columns.filter(isDay);
  const isAsked = dates.length > 0 && answers[START_QUESTION] === undefined;
  const score = dates.some(isEnd) ? UNNAMED : 0;
  return { score, map: new Map(), used: new Set(), open: isAsked ? [startQuestion(columns)] : [], warnings: [] };
}

/** @param guess the field that is taken if the question is not answered */
function startQuestion(columns: readonly Column[], guess?: string): Question {
  const dates = columns.filter(isDay);
  const paths = dates.map(({ path }) => path).join(', ');
  const unnamed =
    dates.length === 1 ? 'has dates, but is not named as a start' : 'have dates, but are not named as a start';
  return {
    id: START_QUESTION,
    line: 'start',
    text: `Which field has the start of events? ${paths} ${unnamed}.`,
    choices: [
      ...dates.map(({ path, texts }) => ({ value: path, label: `${path}: ${texts[0]?.slice(0, 40)}` })),
      { value: 'none', label: 'none of them' },
    ],
    safe: guess ?? 'none',
    comment:
      guess === undefined
        ? `No field is named as the start of events, so map.start is missing. Fields with dates: ${paths}.`
        : `No field is named as the start of events; ${guess} is a guess. Fields with dates: ${paths}.`,
  };
}

/** Reads dates without a year in the year that a person has given. Otherwise says that it is missing. */
function yearlessStart(columns: readonly Column[], { lines, answers }: Corrections): EventTimes | undefined {
  const given = lines.year === undefined ? undefined : String(lines.year);
  const found = fromYearless(columns, given, answers);
  if (found === undefined) return undefined;
  if (found.rules.length > 0) return fromRules(found.rules, undefined);
  const shown = JSON.stringify(found.column.texts[0]?.slice(0, 40));
  const warning = `The dates of ${found.column.path}, such as ${shown}, have no year. Set it, \`year: 2027\`, or the first of their twelve months, \`year: 2026-09\`.`;
  return { score: UNNAMED, map: new Map(), used: new Set(), open: [], warnings: [warning] };
}

/** Maps the start from a field that no format reads: the person who has chosen the field can give its format. */
function unreadStart([column]: readonly Column[]): EventTimes {
  const none = { score: 0, used: new Set<Column>(), open: [], warnings: [] };
  if (column === undefined) return { ...none, map: new Map() };
  const shown = JSON.stringify(column.texts[0]?.slice(0, 40));
  const rule = { value: column.path, evidence: 'as you said' };
  const warnings = [
    `The values of ${column.path}, such as ${shown}, are not read as dates: set the format of the start.`,
  ];
  return { ...none, start: column, map: new Map([['start', rule]]), used: new Set([column]), warnings };
}

function startRule({ start, startTime }: TimeFields): TimeRule {
  // If the time of day is in another field, this field counts as a day, so that a record without a time is all-day.
  const isDayOnly = startTime !== undefined && isDayWritten(start);
  return {
    attribute: 'start',
    rule: isDayOnly ? dayOnly(start) : momentRule(start),
    reads: [fieldOf(start.dates.column)],
    dates: start.dates,
  };
}

/** Whether the start has a time of day. All events may start at midnight of a zone, but then they do not end there. */
function isTimed({ start, startTime, end }: TimeFields): boolean {
  if (start.dates.is !== 'moment') return false;
  if (!isMidnight(start.dates.column)) return true;
  return startTime === undefined && end?.dates.is === 'moment' && !endsDays(end.dates.column);
}

/** Returns rules for the time of day, if the start has none. */
function timeRules(fields: TimeFields): TimeRule[] {
  const { startTime, endTime } = fields;
  return isTimed(fields) || startTime === undefined ? [] : clockRules(startTime, endTime !== undefined);
}

function endRules(fields: TimeFields, hasTime: boolean, corrections: Corrections): readonly TimeRule[] {
  const { start, end, endTime, startTime } = fields;
  const times = endTime !== undefined && hasTime ? clockRule('time.end', endTime) : [];
  if (end === undefined) return times;
  const { dates } = end;
  const reads = [fieldOf(dates.column)];
  if (dates.is === 'time') return [{ ...ruleOf('time.end', dates), dates }];
  if (times.length > 0 && (dates.is === 'day' || isDayWritten(end))) {
    const rule = isDayWritten(end) ? dayOnly(end) : momentRule(end);
    return midnightEnds(fields, end, [{ attribute: 'endDate', rule, reads, dates }, ...times], corrections);
  }
  if (end.dates.is === 'moment') return [{ attribute: 'end', rule: momentRule(end), reads, dates }];
  const exclusive =
    start.dates.is === 'day' && startTime === undefined ? exclusiveEnds(start.dates, end.dates) : undefined;
  const answer = exclusive && corrections.answers[exclusive.question.id];
  if (exclusive && answer === 'after') return [{ attribute: 'endDate', rule: exclusive.rule, reads, dates }];
  const question = answer === undefined ? exclusive?.question : undefined;
  return [{ attribute: 'endDate', rule: momentRule(end), reads, dates, ...(question && { question }) }];
}

function allDayRules({ start, end, allDay }: TimeFields, hasTime: boolean): TimeRule[] {
  if (allDay !== undefined) return [{ attribute: 'allDay', rule: yesNoRule(allDay), reads: [allDay] }];
  if (hasTime && end?.dates.is === 'moment') {
    const rule = wholeDaysInUtc(start.dates.column, end.dates.column);
    return rule ? [{ attribute: 'allDay', rule, reads: [] }] : [];
  }
  if (hasTime || start.dates.is !== 'moment') return [];
  const evidence = `${start.dates.column.path} is midnight in all records: it has no time of day`;
  return [{ attribute: 'allDay', rule: { value: { value: true }, evidence }, reads: [] }];
}

function momentRule({ dates, why }: SettledDates): Guess<ProposedRule> {
  return dateRule(dates, undefined, why);
}

/** Whether all date-times in ISO 8601 are midnight, as databases write days. */
function isDayWritten({ dates }: SettledDates): boolean {
  return dates.is === 'moment' && dates.formats.length === 0 && isMidnight(dates.column);
}

function dayOnly({ dates }: SettledDates): Guess<ProposedRule> {
  return dateRule(dates, { template: `{{ ${liquidPath(dates.column)} | slice: 0, 10 }}` });
}

/** Number of values that are not dates to show of a field. */
const MOST_SHOWN = 5;

function misfits({ attribute, dates }: TimeRule): string[] {
  if (dates === undefined || dates.misfits.length === 0) return [];
  const shown = dates.misfits
    .slice(0, MOST_SHOWN)
    .map(({ text, count }) => `${JSON.stringify(text.slice(0, 60))}${count > 1 ? ` (${count})` : ''}`);
  const more = dates.misfits.length > MOST_SHOWN ? ` and ${dates.misfits.length - MOST_SHOWN} more` : '';
  const count = dates.misfits.reduce((sum, misfit) => sum + misfit.count, 0);
  const thing = dates.is === 'time' ? 'time' : 'date';
  const [what, these] = count === 1 ? [`is no ${thing}`, 'this record is'] : [`are no ${thing}s`, 'these records are'];
  const words = JSON.stringify(dates.misfits.map(({ text }) => text).slice(0, MOST_SHOWN));
  const remedy =
    dates.is === 'time' ? ` To publish them without a time, add \`empty: ${words}\` to the rule of ${attribute}.` : '';
  return [
    `${count} of ${dates.of} values of ${dates.column.path} ${what}, such as ${shown.join(', ')}${more}: ${these} rejected.${remedy}`,
  ];
}
