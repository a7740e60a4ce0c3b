import { defineConnector } from '../../src/core/connector.ts';
import { type EventComponent, readEvents } from './events/components.ts';
import { icalOptions } from './options.ts';
import { readContentLines } from './parse/content-lines.ts';

/** What identifies an event or makes its dates, and what only one program reads. */
const ownFields =
  /^(uid|series|params|recurrence-id|dtstamp|created|last-modified|sequence|class|status|transp|rrule|exrule|rdate|exdate|x-(apple|lic|microsoft|mozilla|ms|wr)-.*)$/;

/**
 * Reads calendars (RFC 5545): bytes, content lines, components, events by UID, their recurrence sets, occurrences, records.
 * Each event is read separately, so that a malformed one is rejected alone. All events of a feed are held in memory, because
 * a later one may override or replace an earlier one.
 *
 * Fields: the properties by their RFC 5545 names in lower case, and `start`, `end`, `allDay`, `image`; see docs/ical.md.
 * @throws CodedError FF_FEED_FORMAT if the feed is not a calendar, FF_FEED_CHARSET if it cannot be decoded
 */
export const ical = defineConnector({
  kind: 'ical',
  defaultKey: 'uid',
  ownFields,
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
  async *read(feed, options, context) {
    context.report({ endsItself: true });
    const events: EventComponent[] = [];
    for await (const event of readEvents(readContentLines(feed, context), feed.location, context)) events.push(event);
    // Only calendars need the rules and the zones of Windows.
    const { publishEvents } = await import('./publish-events.ts');
    yield* publishEvents(events, feed.location, options, context);
  },
});
