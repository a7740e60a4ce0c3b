import { DAY, midnightOf } from '../../../src/core/dates/wall-time.ts';
import { sha256 } from '../../../src/core/hash.ts';
import type { SourceRecord } from '../../../src/core/record.ts';
import { valuesOf } from '../parse/property.ts';
import { parseBasicFormat } from '../time/basic-format.ts';
import type { DateOrTime } from '../time/date-time.ts';
import type { EventComponent } from './components.ts';
import type { CalendarEvent } from './event.ts';

type Warn = (at: string, message: string, kind?: string) => void;

/**
 * Groups events by UID, in the order of the feed: a single event, or a series and its overrides. An event without a UID has its
 * own group, with a name made from its start, title and location, so that the name is the same at every fetch.
 */
export function groupByUid(events: Iterable<EventComponent>, warn: Warn): Map<string, EventComponent[]> {
  return Map.groupBy(events, ({ at, properties }) => {
    const [uid = ''] = valuesOf(properties, 'UID');
    if (uid !== '') return uid;
    warn(at, 'no UID: the key is made from start, title and location', 'no UID');
    const names = ['DTSTART', 'SUMMARY', 'LOCATION', 'RECURRENCE-ID'];
    const content = names.map((name) => valuesOf(properties, name)[0] ?? '');
    return `no-uid-${sha256(JSON.stringify(content)).slice(0, 32)}`;
  });
}

/** More events of one UID on different days are no revisions of one event, but share the UID. */
const MOST_DAYS = 2;

/** Selects the latest revisions of the events with one UID that do not change an instance. */
export function latestMasters(events: readonly CalendarEvent[], warn: Warn): CalendarEvent[] {
  const byDay = Map.groupBy(events, ({ start }) => midnightOf(start.wall));
  return byDay.size > MOST_DAYS
    ? [...byDay.values()].flatMap((sameDay) => latestRevisions(sameDay, warn))
    : latestRevisions(events, warn);
}

/**
 * Selects the latest of several revisions of an event (RFC 5546, 2.1.5): the highest SEQUENCE, of these the latest DTSTAMP, of these
 * the latest LAST-MODIFIED. Of equal ones that start at the same time, a cancellation counts. Others share an identity by mistake:
 * all are kept.
 */
export function latestRevisions(events: readonly CalendarEvent[], warn: Warn): CalendarEvent[] {
  if (events.length < 2) return [...events];
  const bySequence = latestBy(events, ({ sequence }) => sequence, 'SEQUENCE', warn);
  const byStamp = latestBy(bySequence, (event) => stampOf(event, 'DTSTAMP'), 'DTSTAMP', warn, EXPORT_MS);
  const latest = latestBy(byStamp, (event) => stampOf(event, 'LAST-MODIFIED'), 'LAST-MODIFIED', warn);
  const cancelled = new Set(latest.filter((event) => event.cancelled).map(({ start }) => start.wall));
  const byContent = new Map<string, CalendarEvent>();
  const elsewhere = Map.groupBy(latest, (event) => fingerprint(event, 'LOCATION'));
  for (const event of latest) {
    if (!event.cancelled && cancelled.has(event.start.wall)) {
      warn(event.at, 'replaced by a revision that is cancelled');
      continue;
    }
    const content = fingerprint(event);
    const other = elsewhere.get(fingerprint(event, 'LOCATION'))?.at(-1);
    if (other && fingerprint(other) !== content) {
      warn(event.at, `replaced by ${other.at}, which differs only in its place`);
      continue;
    }
    const first = byContent.get(content);
    if (first) warn(event.at, `duplicate of ${first.at}, skipped`);
    else byContent.set(content, event);
  }
  return [...byContent.values()];
}

/** Many programs write the time of the export as DTSTAMP, and an export takes some seconds. */
const EXPORT_MS = 5_000;

/** Returns the events with the highest number, at most `tolerance` below it, and those without a number. */
function latestBy(
  events: readonly CalendarEvent[],
  numberOf: (event: CalendarEvent) => number | undefined,
  name: string,
  warn: Warn,
  tolerance = 0,
): CalendarEvent[] {
  const numbered = events.map((event) => ({ event, number: numberOf(event) }));
  const highest = numbered.reduce((most, { number = most }) => Math.max(most, number), Number.NEGATIVE_INFINITY);
  const latest = numbered.find(({ number }) => number === highest)?.event;
  return numbered.flatMap(({ event, number = highest }) => {
    if (number >= highest - tolerance) return [event];
    const [value] = latest ? valuesOf(latest.properties, name) : [];
    warn(event.at, `replaced by a later revision (${name} ${value})`);
    return [];
  });
}

function stampOf({ properties }: CalendarEvent, name: string): number | undefined {
  const [value] = valuesOf(properties, name);
  const parsed = value === undefined ? undefined : parseBasicFormat(value);
  return parsed && parsed.wall - (parsed.offset ?? 0);
}

const distinguishing = new Set('DTSTART DTEND DURATION RRULE RDATE SUMMARY LOCATION DESCRIPTION'.split(' '));

/** Hashes the properties of an event that people see, but one. Others, such as DTSTAMP, change with every export. */
function fingerprint({ properties }: CalendarEvent, without?: string): string {
  const lines = properties
    .filter(({ name }) => distinguishing.has(name) && name !== without)
    .map(({ name, value }) => `${name}:${value}`);
  return sha256(JSON.stringify(lines.sort()));
}

/** The fields of a record that people see. */
const SHOWN = ['summary', 'start', 'end', 'location', 'description'];

/**
 * Gives records with the same key keys of their own, made from what people see of them, so that none of them passes its key on to
 * another one. Of records that look the same, one is enough.
 */
export function* distinguish(records: Iterable<SourceRecord>): Generator<SourceRecord> {
  for (const [key, same] of Map.groupBy(records, ({ fields }) => fields.uid)) {
    const byContent = Map.groupBy(same, ({ fields }) => sha256(JSON.stringify(SHOWN.map((name) => fields[name]))));
    for (const [content, alike] of byContent) {
      const record = alike.find(({ withdrawn }) => !withdrawn) ?? alike[0];
      const uid = byContent.size === 1 ? key : `${key}#${content.slice(0, 12)}`;
      if (record) yield { ...record, fields: { ...record.fields, uid } };
    }
  }
}

/** UIDs that contain when an event begins, so that they change when it moves. `stamp` is then near its start. */
const uidsWithTime = [
  // Google, for "this and all following events": abc_R20270119T170000@google.com
  /^(?<id>.+)_R\d{8}(?:T\d{6}Z?)?(?<host>@[^@]*)?$/,
  // LiveWhale: 20271206T150000Z-21005@events.example.edu
  /^(?<stamp>\d{8}T\d{6}Z)-(?<id>\d{4,})(?<host>@[^@]+)$/,
  // The Events Calendar: 730-1825963200-1825968600@www.example.org
  /^(?<id>\d+)-(?<stamp>\d{10})-\d{10}(?<host>@[^@]+)$/,
];

/** Longer UIDs are not of these forms. */
const LONGEST_UID = 200;

/** Returns the part of a UID that stays the same when the event or series moves, or a part of the series is split off. */
export function seriesIdOf(uid: string, start: DateOrTime): string {
  if (uid.length > LONGEST_UID) return uid;
  for (const form of uidsWithTime) {
    const { id, host = '', stamp } = form.exec(uid)?.groups ?? {};
    if (id !== undefined && (stamp === undefined || isNear(stamp, start))) return id + host;
  }
  return uid;
}

/** Whether a time in UTC, or in seconds since 1970, is within a day of a start: other UIDs contain when they were made. */
function isNear(stamp: string, { wall }: DateOrTime): boolean {
  return Math.abs((parseBasicFormat(stamp)?.wall ?? Number(stamp) * 1000) - wall) <= DAY;
}
