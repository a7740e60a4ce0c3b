import type { ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { eventRecord } from './event-record.ts';
import { collapseSeries } from './events/collapse-series.ts';
import type { EventComponent } from './events/components.ts';
import { type CalendarEvent, readAsCancelledOverride, readEvent } from './events/event.ts';
import { expandSeries, isSeries, type Occurrence, recurrenceIdOf, type Truncation } from './events/expand-series.ts';
import type { EventGroup } from './events/group-by-uid.ts';
import { type KeyedEvent, latestRevisions } from './events/revisions.ts';
import type { IcalOptions } from './options.ts';
import type { OccurrenceWindow } from './time/window.ts';

/** What publishing a group needs to know. */
export interface Publishing {
  options: IcalOptions;
  context: Pick<ReadContext, 'timezone' | 'reject' | 'warn' | 'incomplete'>;
  window: OccurrenceWindow;
  /** Told of every series that the window cuts. */
  onWindowCut: () => void;
}

/** The records of all events with one UID. What cannot be read is rejected alone. */
export function* publishGroup({ uid, events }: EventGroup, publishing: Publishing): Generator<SourceRecord> {
  const { context } = publishing;
  const warn = (at: string, message: string) => context.warn({ at, message });
  const read = readAll(uid, events, publishing);
  const masters = latestRevisions(
    read.filter(({ recurrenceId }) => recurrenceId === undefined),
    warn,
  );
  const start = masters[0]?.event.start;
  const changes = read.filter(({ recurrenceId }) => recurrenceId !== undefined);
  const current = [...Map.groupBy(changes, (change) => recurrenceIdOf(start, change)).values()].flatMap((revisions) =>
    latestRevisions(revisions, warn),
  );
  if (masters.length === 0) yield* publishAlone(uid, current, publishing);
  for (const [index, master] of masters.entries()) {
    // Which of several the changes belong to cannot be told: the first has them.
    const own = index === 0 ? current : [];
    yield* publishMaster(uid + master.suffix, master.event, own, publishing);
  }
}

function* publishMaster(
  uid: string,
  event: CalendarEvent,
  changes: KeyedEvent[],
  publishing: Publishing,
): Generator<SourceRecord> {
  if (event.cancelled) {
    publishing.context.warn({ at: event.at, message: 'it is cancelled and not published' });
  } else if (!isSeries(event) && changes.length === 0 && event.recurrence.exceptDates.length === 0) {
    if (isPublic(event, publishing)) yield eventRecord(uid, uid, event, publishing);
  } else {
    yield* publishSeries(uid, event, changes, publishing);
  }
}

function* publishSeries(
  uid: string,
  series: CalendarEvent,
  changes: KeyedEvent[],
  publishing: Publishing,
): Generator<SourceRecord> {
  const { options, window } = publishing;
  const withheld = new Set(
    [series, ...changes.map(({ event }) => event)].filter((event) => !isPublic(event, publishing)),
  );
  const own = changes.filter(({ suffix }) => suffix === '').map(({ event }) => event);
  const whole = options.recurrence === 'span' ? { ...window, from: Number.NEGATIVE_INFINITY } : window;
  const { occurrences, cut } = expandSeries(series, own, whole, options.maxOccurrences);
  tellCut(series, occurrences, cut, publishing);
  const shown = occurrences.filter(({ event }) => !withheld.has(event));
  if (options.recurrence === 'expand') {
    for (const occurrence of shown) yield occurrenceRecord(uid, occurrence, publishing, isSeries(series));
  } else {
    const one = collapseSeries(shown, options.recurrence);
    if (one) yield eventRecord(uid, uid, one, publishing, { repeats: isSeries(series) });
  }
  yield* publishAlone(
    uid,
    changes.filter(({ suffix }) => suffix !== ''),
    publishing,
  );
}

/** An instance of a series has a key of its own; a single event keeps that of its UID, whatever is said of changes. */
function occurrenceRecord(
  uid: string,
  { event, start, length, recurrenceId }: Occurrence,
  publishing: Publishing,
  inSeries: boolean,
) {
  const key = inSeries || event.recurrenceId ? `${uid}/${recurrenceId}` : uid;
  return eventRecord(uid, key, { ...event, start, length }, publishing, { 'recurrence-id': recurrenceId });
}

/** Changed instances of a series that is not in the feed: single events. */
function* publishAlone(uid: string, changes: readonly KeyedEvent[], publishing: Publishing): Generator<SourceRecord> {
  for (const { event, suffix } of changes) {
    if (event.cancelled || !isPublic(event, publishing)) continue;
    const recurrenceId = recurrenceIdOf(undefined, event);
    yield eventRecord(uid, `${uid}/${recurrenceId}${suffix}`, event, publishing, {
      'recurrence-id': recurrenceId,
    });
  }
}

function isPublic({ at, class: level }: CalendarEvent, { options, context }: Publishing): boolean {
  const allowed = level !== 'PRIVATE' && level !== 'CONFIDENTIAL';
  if (allowed || options.publish.some((name) => name.toUpperCase() === level)) return true;
  context.warn({ at, message: `it is ${level} and not published` });
  return false;
}

function tellCut(
  { at }: CalendarEvent,
  occurrences: readonly Occurrence[],
  cut: Truncation,
  { options, context, onWindowCut }: Publishing,
) {
  if (cut.byWindow) onWindowCut();
  if (cut.byCap) {
    context.warn({
      at,
      message: `only ${options.maxOccurrences} of its occurrences are published: source.maxOccurrences`,
    });
  }
  if (cut.problem !== undefined) {
    context.warn({ at, message: `its rule takes too much work and was not followed to its end (${cut.problem})` });
  } else if (occurrences.length === 0 && !cut.byWindow) {
    context.warn({ at, message: 'its rules make no date that is left' });
  }
}

function readAll(uid: string, raws: readonly EventComponent[], { context }: Publishing): CalendarEvent[] {
  const failed: Array<{ raw: EventComponent; error: CodedError; change?: CalendarEvent }> = [];
  const events = raws.flatMap((raw) => {
    const eventContext = {
      timezone: context.timezone,
      warn: (message: string) => context.warn({ at: raw.at, message }),
    };
    try {
      return [readEvent(raw, eventContext)];
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      const change = readAsCancelledOverride(raw, eventContext);
      failed.push({ raw, error, ...(change ? { change } : {}) });
      return change ? [change] : [];
    }
  });
  const start = events.find(({ recurrenceId }) => recurrenceId === undefined)?.start;
  for (const { raw, error, change } of failed) {
    const key = change ? `${uid}/${recurrenceIdOf(start, change)}` : uid;
    context.reject({ at: raw.at, code: error.code, reason: error.message, key, fields: rejectedFields(raw, uid) });
    if (raw.properties.some(({ name }) => name === 'RRULE' || name === 'RDATE')) {
      context.incomplete(`${raw.at} is a series that could not be read: its dates are not known`);
    }
  }
  return events;
}

function rejectedFields({ properties }: EventComponent, uid: string): Record<string, unknown> {
  return { uid, summary: properties.find(({ name }) => name === 'SUMMARY')?.value };
}
