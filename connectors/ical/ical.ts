import { defineConnector, type ReadContext } from '../../src/core/connector.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { type EventComponent, readEvents } from './events/components.ts';
import { groupByUid } from './events/group-by-uid.ts';
import { type IcalOptions, icalOptions } from './options.ts';
import { readContentLines } from './parse/content-lines.ts';
import { publishGroup } from './publish-events.ts';
import { toIsoDay } from './time/wall-time.ts';
import { type OccurrenceWindow, windowOf } from './time/window.ts';

/**
 * Reads calendars (RFC 5545): bytes, content lines, components, events by UID, their recurrence sets, occurrences, records.
 * Each event is read by itself, so that a bad one is rejected alone. The events of a feed are held in memory until its end,
 * since a later one may change or replace an earlier one.
 *
 * Fields: the properties by their RFC 5545 names in lower case, and `start`, `end`, `allDay`, `image`; see docs/ical.md.
 * @throws CodedError FF_FEED_FORMAT where the feed is no calendar, FF_FEED_CHARSET where it cannot be decoded.
 */
export const ical = defineConnector<IcalOptions>({
  kind: 'ical',
  options: icalOptions,
  defaultMap: {
    title: 'summary',
    description: 'description',
    start: 'start',
    end: 'end',
    allDay: 'allDay',
    showOnAllDates: 'showOnAllDates',
    repeats: 'repeats',
  },
  read,
});

async function* read(feed: Feed, chosen: IcalOptions, context: ReadContext): AsyncGenerator<SourceRecord> {
  const events: EventComponent[] = [];
  for await (const event of readEvents(readContentLines(feed, context), feed.location, context)) events.push(event);

  const window = windowOf(context, Date.now());
  let cutSeries = 0;
  const onWindowCut = () => {
    cutSeries += 1;
  };
  for (const group of groupByUid(events, (at, message) => context.warn({ at, message }))) {
    yield* publishGroup(group, { options: chosen, context, window, onWindowCut });
  }
  if (cutSeries > 0) context.warn({ at: feed.location, message: cutMessage(cutSeries, window) });
}

function cutMessage(series: number, { from, to, horizon }: OccurrenceWindow): string {
  const day = (wall: number, otherwise: number) => toIsoDay(Number.isFinite(wall) ? wall : otherwise);
  const days = `${day(from, horizon.from)} to ${day(to, horizon.to)}`;
  return `recurring events are published for the days ${days}; ${series} of them have further dates, which are left out`;
}
