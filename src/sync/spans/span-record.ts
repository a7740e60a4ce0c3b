import type { SyncConfig } from '../../config/types.ts';
import { addDays } from '../../core/dates/iso-date.ts';
import { hashJson } from '../../core/hash.ts';
import { escapeText, isHtml } from '../../core/html/html-text.ts';
import { type DesiredRecord, isObject, type Json, type Payload, toText } from '../../core/record.ts';
import type { KnownSpan } from '../../ledger/records/event-days.ts';
import type { DaySpan, OneDay } from './fold-days.ts';
import { describeHours, type OpenDay } from './opening-hours.ts';

/** A day that is so near to an event may be one of it. */
export const NEAR = 7;

/** How days become one event. */
export type SpanRule = NonNullable<SyncConfig['recurrence']>;

/** A record that may be a day of an event. */
export interface DayRecord extends OneDay {
  record: DesiredRecord;
}

/** What decides about the days of an event besides the records that the reading has. */
interface SpanFacts {
  rule: SpanRule;
  timeTypes: SyncConfig['timeTypes'];
  before?: KnownSpan | undefined;
  /** Whether the reading does not have a day because it is over, or was not read. */
  mayBeUnread(payload: Payload): boolean;
  /** Days of the event whose records are rejected now. */
  rejected: readonly string[];
  /** ISO date: the days before it are forgotten. */
  since: string;
}

/** Returns a record as a day, if it is on one day. */
export function toDay(record: DesiredRecord, { hours }: SpanRule): DayRecord | undefined {
  const { key, payload, attachments } = record;
  const { date, endDate, time, ...others } = payload;
  if (typeof date !== 'string' || (endDate ?? date) !== date) return undefined;
  const like = {
    ...others,
    ...(hours === 'separate' && { time }),
    files: attachments.map(({ source, ...file }) => ({ ...file, ...source })),
  };
  return { key, date, record, like: hashJson(withoutDay(JSON.parse(JSON.stringify(like)) as Json, { key, date })) };
}

/** An address may contain the key or the day of the record. */
function withoutDay(value: Json | undefined, day: { key: string; date: string }): Json {
  if (typeof value === 'string' && /^https?:\/\/\S+$/.test(value)) {
    return [day.key, day.date, day.date.replaceAll('-', '')].reduce((text, part) => text.replaceAll(part, ' '), value);
  }
  if (Array.isArray(value)) return value.map((each) => withoutDay(each, day));
  if (!isObject(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutDay(each as Json, day)]));
}

/**
 * Returns one event for its days. It has the values of the last of them, because these stay when the source drops days that are over.
 * Then its first day stays, too; a day that the source should still have, and has no longer, was cancelled.
 */
export function spanRecord({ key, days }: DaySpan<DayRecord>, facts: SpanFacts): DesiredRecord {
  const { before, rule, timeTypes } = facts;
  const { record } = days.at(-1) ?? days[0];
  const dates = [...days.map(({ date }) => date), ...facts.rejected].sort();
  const [first = '', last = ''] = [dates[0], dates.at(-1)];
  const kept = before ? keptDays(before, { first, last }, { ...facts, payload: record.payload }) : {};
  const { date, endDate } = { date: first, endDate: last, ...kept };
  const isLong = endDate > date;
  const recent = Object.entries(before?.days ?? {}).filter(([, day]) => day >= facts.since);
  // The hours of days that the source has dropped are still those of the event.
  const past = before?.open?.filter((day) => day.date >= facts.since && day.date < first) ?? [];
  const open = [...past, ...days.map((day) => ({ date: day.date, ...hoursOf(day.record.payload) }))];
  return {
    ...{ at: days[0].record.at, key, resource: record.resource, attachments: record.attachments },
    payload: {
      ...record.payload,
      ...{ date, endDate, isMultiDay: isLong, spansMultipleDays: isLong, showOnAllDates: isLong },
      ...(rule.hours === 'text' && withHours(open, record.payload, rule, timeTypes)),
    },
    span: {
      days: Object.fromEntries([...recent, ...days.map((day): [string, string] => [day.key, day.date])]),
      like: days[0].like,
      ...(rule.hours === 'text' && { open }),
    },
  };
}

/** The first and the last day that an event keeps although the reading does not have them. */
function keptDays(
  { start, end }: KnownSpan,
  { first, last }: { first: string; last: string },
  { payload, mayBeUnread }: Pick<SpanFacts, 'mayBeUnread'> & { payload: Payload },
) {
  const isKept = (day: string) => mayBeUnread({ ...payload, date: day, endDate: day });
  return {
    // Another time of the same event has days of its own.
    ...(start < first && addDays(end, NEAR) >= first && isKept(start) && { date: start }),
    ...(end > last && isKept(end) && { endDate: end }),
  };
}

/** Adds the opening hours to the description, unless they are the same on each of many days in a row. */
function withHours(
  open: readonly OpenDay[],
  payload: Payload,
  { language }: SpanRule,
  timeTypes: SyncConfig['timeTypes'],
) {
  const areEqual = new Set(open.map(({ start, end }) => `${start} ${end}`)).size === 1;
  const isEachDay = open.at(-1)?.date === addDays(open[0]?.date ?? '', open.length - 1);
  if (areEqual && isEachDay) return {};
  const hours = describeHours(open, language);
  const text = toText(payload.description);
  const more = isHtml(text) ? `<p>${escapeText(hours)}</p>` : `${text === '' ? '' : '\n\n'}${hours}`;
  // Which hours are those of which day is only in the text.
  const wholeDays = { start: '00:00:00', end: '23:59:59', type: timeTypes?.allDay ?? 'timed' };
  return { description: text + more, ...(!areEqual && { time: wholeDays }) };
}

function hoursOf({ time }: Payload): Omit<OpenDay, 'date'> {
  const { start, end } = isObject(time) ? time : {};
  return { start: typeof start === 'string' ? start : '', end: typeof end === 'string' ? end : '' };
}
