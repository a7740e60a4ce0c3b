import type { ReadContext } from '../../src/core/connector.ts';
import { toIsoDay } from '../../src/core/dates/wall-time.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Occurrence, SourceRecord, Withdrawal } from '../../src/core/record.ts';
import { eventRecord } from './event-record.ts';
import type { EventComponent } from './events/components.ts';
import { type CalendarEvent, readAsCancelledOverride, readEvent } from './events/event.ts';
import { distinguish, groupByUid, latestMasters, latestRevisions, seriesIdOf } from './events/identity.ts';
import {
  collapseSeries,
  expandSeries,
  formatRecurrenceId,
  formatSlot,
  isSeries,
  recurrenceIdOf,
  type Truncation,
} from './events/series.ts';
import { type IcalOptions, recurrenceOptions } from './options.ts';
import { propertyFields } from './property-fields.ts';
import { wallTimeIn } from './time/date-time.ts';
import { windowOf } from './time/window.ts';

/** Reads the fields of an event only once, because it may have many occurrences and many lines. */
function rememberLast(options: IcalOptions): (properties: CalendarEvent['properties']) => object {
  let last: { properties: CalendarEvent['properties']; fields: object } | undefined;
  return (properties) => {
    if (last?.properties !== properties) last = { properties, fields: propertyFields(properties, options) };
    return last.fields;
  };
}

/** The identity of an event that is published once. */
function identityOf(uid: string, { start }: CalendarEvent, key: string) {
  const occurrence = () => ({ series: seriesIdOf(uid, start), slot: formatSlot(start, start.wall) });
  return { uid, key, occurrence };
}

/** The key of an event that is not alone with its UID: if one of them had the bare UID, it would pass on to another one. */
function keyBySlot(uid: string, { start }: CalendarEvent): string {
  return `${uid}/${formatRecurrenceId(start, start.wall)}`;
}

/** Returns whether a changed instance takes the place of an event, which is then an instance, too. */
function isReplaced(event: CalendarEvent, byInstance: ReadonlyMap<string, unknown>): boolean {
  const { start } = event;
  const days = formatRecurrenceId({ is: 'date', wall: start.wall }, start.wall);
  return !isSeries(event) && (byInstance.has(formatRecurrenceId(start, start.wall)) || byInstance.has(days));
}

/** What is published beside an event with the same UID. */
interface Siblings {
  uid: string;
  /** Whether no other event with the UID could have its key. */
  isAlone: boolean;
  /** The changed instances of the event: several for one RECURRENCE-ID if they share it by mistake. */
  instances: readonly CalendarEvent[][];
}

function* asCancelled(records: Iterable<SourceRecord>, warning: string): Generator<SourceRecord> {
  for (const record of records) yield { ...record, withdrawn: { as: 'cancelled', warning } };
}

/** Limits the work on the rules of a calendar to seconds. */
const MOST_STEPS = 8_000_000;
/** Cost of an occurrence, in steps of a rule. */
const STEPS_AN_OCCURRENCE = 26;

/** Yields the records of the events of a calendar. */
export function* publishEvents(
  components: readonly EventComponent[],
  location: string,
  options: IcalOptions,
  context: ReadContext,
): Generator<SourceRecord> {
  const window = windowOf(context);
  const recordOptions = { fieldsOf: rememberLast(options), site: window.site };
  const warn = (at: string, message: string, kind?: string) => context.warn({ at, message, ...(kind && { kind }) });
  const { as: form, startOffRule } = recurrenceOptions(options);
  const budget = { left: MOST_STEPS };
  let truncatedSeries = 0;
  let unreadSeries = 0;

  for (const [uid, group] of groupByUid(components, warn)) yield* publishGroup(uid, group);
  if (unreadSeries > 0) {
    const reason = `${unreadSeries} further series are not published, because the feed has too many dates`;
    warn(location, `${reason}. Shorten the window of the sync, or split the feed`);
    context.incomplete(reason);
  }
  if (truncatedSeries > 0) {
    const first = Number.isFinite(window.from) ? window.from : window.horizon.from;
    const last = Number.isFinite(window.to) ? window.to : window.horizon.to;
    const days = `${toIsoDay(first)} to ${toIsoDay(last)}`;
    const skipped = `dates outside are skipped (in ${truncatedSeries} series)`;
    warn(location, `Recurring events are published from ${days}; ${skipped}`);
  }

  /** Yields the records of all events with one UID. An event that cannot be read is rejected alone. */
  function* publishGroup(uid: string, group: readonly EventComponent[]): Generator<SourceRecord> {
    const events = readAll(uid, group);
    const { masters: allMasters = [], overrides = [] } = Object.groupBy(events, ({ recurrenceId }) =>
      recurrenceId === undefined ? 'masters' : 'overrides',
    );
    const latest = latestMasters(allMasters, warn);
    const first = latest.find(isSeries) ?? latest[0];
    const byInstance = Map.groupBy(overrides, (override) => recurrenceIdOf(first?.start, override));
    const masters = latest.length > 1 ? latest.filter((event) => !isReplaced(event, byInstance)) : latest;
    const instances = [...byInstance.values()].map((revisions) => latestRevisions(revisions, warn));
    const sharing = masters.length > 1 ? masters : instances.find(({ length }) => length > 1);
    const records = publishAll(uid, masters, instances);
    if (!sharing) yield* records;
    else {
      const keys = 'so their keys are made from their start, or their content if they start together';
      warn(sharing[0]?.at ?? location, `${sharing.length} events have the UID "${uid}", ${keys}`);
      yield* distinguish(records);
    }
  }

  function* publishAll(uid: string, masters: readonly CalendarEvent[], instances: readonly CalendarEvent[][]) {
    const isAlone = masters.length === 1;
    // Of several events with the UID, the first series has the changed instances.
    const owner = isAlone ? masters[0] : masters.find(isSeries);
    for (const event of masters) {
      yield* publishMaster(event, { uid, isAlone, instances: event === owner ? instances : [] });
    }
    if (owner === undefined) yield* publishOverrides(uid, instances.flat());
  }

  function* publishMaster(event: CalendarEvent, siblings: Siblings): Generator<SourceRecord> {
    const { uid, isAlone, instances } = siblings;
    if (event.cancelled) {
      const warning = 'the event is cancelled and not published';
      if (context.includesWithdrawn)
        yield* asCancelled(publishMaster({ ...event, cancelled: false }, siblings), warning);
      else warn(event.at, warning);
    } else if (isSeries(event) || instances.length > 0 || event.recurrence.exceptDates.length > 0) {
      yield* publishSeries(event, siblings);
    } else {
      const withdrawn = withheldAs(event);
      if (withdrawn && !context.includesWithdrawn) return;
      const identity = identityOf(uid, event, isAlone ? uid : keyBySlot(uid, event));
      const record = eventRecord(identity, event, recordOptions);
      yield withdrawn ? { ...record, withdrawn } : record;
    }
  }

  function* publishSeries(series: CalendarEvent, { uid, isAlone, instances }: Siblings): Generator<SourceRecord> {
    if (budget.left < 0) {
      unreadSeries += 1;
      return;
    }
    const withheld = new Map([series, ...instances.flat()].map((event) => [event.at, withheldAs(event)]));
    const own = instances.flatMap((events) => events.slice(0, 1));
    const range = form === 'span' ? { ...window, from: Number.NEGATIVE_INFINITY } : window;
    const { occurrences, cancelled, truncation } = expandSeries(series, own, range, options.maxOccurrences);
    budget.left -= occurrences.size * STEPS_AN_OCCURRENCE;
    warnOfTruncation(series, occurrences.size, truncation);
    const withdrawnAs = ({ at, cancelled }: CalendarEvent): Withdrawal | undefined =>
      cancelled ? { as: 'cancelled' } : withheld.get(at);
    const published = [...occurrences].filter(([, { event }]) => context.includesWithdrawn || !withheld.get(event.at));
    if (context.includesWithdrawn) published.push(...cancelled);
    const repeats = isSeries(series);
    const id = seriesIdOf(uid, series.start);
    if (form === 'expand') {
      for (const [recurrenceId, { event, wall }] of published) {
        // A single event keeps the key of its UID, even if it has an exception date.
        const key = repeats || event.recurrenceId || instances.length > 0 || !isAlone ? `${uid}/${recurrenceId}` : uid;
        const occurrence = (): Occurrence => {
          return { series: id, slot: formatSlot(series.start, wall), ...(repeats && { repeats }) };
        };
        const record = eventRecord({ uid, key, occurrence }, event, recordOptions, { 'recurrence-id': recurrenceId });
        const withdrawn = withdrawnAs(event);
        yield withdrawn ? { ...record, withdrawn } : record;
      }
    } else {
      const dates = published.flatMap(([, { event }]) => (withdrawnAs(event) ? [] : [event]));
      const event = collapseSeries(dates, form, window.site);
      const key = isAlone ? uid : keyBySlot(uid, series);
      if (event) yield eventRecord(identityOf(uid, event, key), event, recordOptions, { repeats });
    }
    const others = instances.flatMap((events) => events.slice(1));
    yield* publishOverrides(uid, others);
  }

  /** Yields overrides without their series, as single events. */
  function* publishOverrides(uid: string, overrides: readonly CalendarEvent[]): Generator<SourceRecord> {
    for (const event of overrides) {
      const withdrawn: Withdrawal | undefined = event.cancelled ? { as: 'cancelled' } : withheldAs(event);
      if (withdrawn && (!context.includesWithdrawn || event.isUnread)) continue;
      if (isSeries(event))
        warn(event.at, 'a changed instance without its series is published once: its RRULE and RDATE are ignored');
      const record = overrideRecord(uid, event);
      yield withdrawn ? { ...record, withdrawn } : record;
    }
  }

  function overrideRecord(uid: string, event: CalendarEvent): SourceRecord {
    const { start } = event;
    const recurrenceId = recurrenceIdOf(undefined, event);
    const wall = wallTimeIn(start, event.recurrenceId ?? start);
    const occurrence = (): Occurrence => ({
      series: seriesIdOf(uid, start),
      slot: formatSlot(start, wall),
      repeats: true,
    });
    const key = `${uid}/${recurrenceId}`;
    return eventRecord({ uid, key, occurrence }, event, recordOptions, { 'recurrence-id': recurrenceId });
  }

  function withheldAs({ at, class: level }: CalendarEvent): Withdrawal | undefined {
    if (level !== 'PRIVATE' && level !== 'CONFIDENTIAL') return undefined;
    if (options.publish.some((name) => name.toUpperCase() === level)) return undefined;
    const warning = `the event is ${level} and not published (source.publish)`;
    if (!context.includesWithdrawn) warn(at, warning);
    return { as: 'private', warning };
  }

  function warnOfTruncation({ at }: CalendarEvent, occurrences: number, truncation: Truncation): void {
    if (truncation.byWindow) truncatedSeries += 1;
    if (truncation.byCap) warn(at, `only ${options.maxOccurrences} occurrences are published (source.maxOccurrences)`);
    if (truncation.problem !== undefined) {
      warn(at, `the recurrence rule was not expanded to its end: ${truncation.problem}`);
      context.incomplete(`the series ${at} could not be expanded to its end`);
    } else if (truncation.endsBeforeStart) {
      warn(at, 'the series is not published: its UNTIL is before its first date');
    } else if (occurrences === 0 && !truncation.byWindow) {
      warn(at, 'the series has no occurrences');
    }
  }

  function readAll(uid: string, group: readonly EventComponent[]): CalendarEvent[] {
    const failed: Array<{ component: EventComponent; error: CodedError; override?: CalendarEvent }> = [];
    const events = group.flatMap((component) => {
      const eventContext = {
        timezone: context.timezone,
        publishesStart: startOffRule === 'publish',
        budget,
        warn: (message: string, kind?: string) => warn(component.at, message, kind),
      };
      try {
        return [readEvent(component, eventContext)];
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        const override = readAsCancelledOverride(component, eventContext);
        failed.push({ component, error, override });
        return override ? [override] : [];
      }
    });
    const start = events.find(({ recurrenceId }) => recurrenceId === undefined)?.start;
    for (const { component, error, override } of failed) {
      const { at, properties } = component;
      // The key of one of several is unknown.
      const own = group.length === 1 ? uid : undefined;
      const key = override ? `${uid}/${recurrenceIdOf(start, override)}` : own;
      const fields = { uid, summary: properties.find(({ name }) => name === 'SUMMARY')?.value };
      context.reject({ at, code: error.code, reason: error.message, key, fields });
      if (properties.some(({ name }) => name === 'RRULE' || name === 'RDATE')) {
        context.incomplete(`${at} is a series that could not be read, so its dates are unknown`);
      }
    }
    return events;
  }
}
