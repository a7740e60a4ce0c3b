import type { ReadContext } from '../../src/core/connector.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { type EventComponent, readEvents } from './events/components.ts';
import type { IcalOptions } from './options.ts';
import { readContentLines } from './parse/content-lines.ts';
import { publishEvents } from './publish-events.ts';

/**
 * Reads calendars (RFC 5545): bytes, content lines, components, events by UID, their recurrence sets, occurrences, records.
 * Each event is read separately, so that a malformed event is rejected alone. All events of a feed are held in memory, because
 * an event may override or replace an earlier event.
 * @throws CodedError FF_FEED_FORMAT if the feed is not a calendar, FF_FEED_CHARSET if it cannot be decoded
 */
export async function* readCalendar(
  feed: Feed,
  options: IcalOptions,
  context: ReadContext,
): AsyncGenerator<SourceRecord> {
  const events: EventComponent[] = [];
  for await (const event of readEvents(readContentLines(feed, context), feed.location, context)) events.push(event);
  // An export is cut at a number of events, of which each may have many occurrences.
  context.report({ endsItself: true, items: events.length });
  yield* publishEvents(events, feed.location, options, context);
}
