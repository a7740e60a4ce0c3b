import { defineConnector } from '../../src/core/connector.ts';
import { isHtmlField } from './html-fields.ts';
import { icalOptions } from './options.ts';

/** Properties that identify an event or define its dates, and properties for a single program. */
const ownFields =
  /^(uid|series|params|recurrence-id|dtstamp|d?created|[adpm]alarm|last-modified|sequence|class|status|transp|rrule|exrule|rdate|exdate|x-(apple|lic|microsoft|mozilla|ms|wr)-.*)$/;

/**
 * Reads calendars (RFC 5545). Fields: the properties by their RFC 5545 names in lower case, and `start`, `end`, `allDay`, `image`;
 * see docs/ical.md.
 */
export const ical = defineConnector({
  kind: 'ical',
  withdraws: true,
  defaultKey: 'uid',
  ownFields,
  options: icalOptions,
  isHtmlField,
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
    yield* (await import('./read-calendar.ts')).readCalendar(feed, options, context);
  },
});
