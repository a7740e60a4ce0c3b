import { defineConnector, type ReadContext } from '../../src/core/connector.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { type EventComponent, readEvents } from './events/components.ts';
import { groupByUid } from './events/group-by-uid.ts';
import { type IcalOptions, icalOptions } from './options.ts';
import { readContentLines } from './parse/content-lines.ts';
import { createPublisher } from './publish-events.ts';
import { toIsoDay } from './time/wall-time.ts';
import { windowOf } from './time/window.ts';

/**
 * Reads calendars (RFC 5545): bytes, content lines, components, events by UID, their recurrence sets, occurrences, records.
 * Each event is read separately, so that a malformed one is rejected alone. All events of a feed are held in memory, because
 * a later one may override or replace an earlier one.
 *
 * Fields: the properties by their RFC 5545 names in lower case, and `start`, `end`, `allDay`, `image`; see docs/ical.md.
 * @throws CodedError FF_FEED_FORMAT if the feed is not a calendar, FF_FEED_CHARSET if it cannot be decoded
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
  const { counts, publishGroup } = createPublisher(chosen, context, window);
  const groups = groupByUid(events, (at, message) => context.warn({ at, message }));
  for (const [uid, group] of groups) yield* publishGroup(uid, group);
  if (counts.truncatedSeries === 0) return;
  const { from, to, horizon } = window;
  const [first, last] = [Number.isFinite(from) ? from : horizon.from, Number.isFinite(to) ? to : horizon.to];
  const days = `${toIsoDay(first)} to ${toIsoDay(last)}`;
  const message = `Recurring events are published from ${days}; dates outside are skipped (in ${counts.truncatedSeries} series)`;
  context.warn({ at: feed.location, message });
}
