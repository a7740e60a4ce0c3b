import { defineConnector } from '../../src/core/connector.ts';
import { isObject, type SourceRecord } from '../../src/core/record.ts';
import { icalOptions } from './options.ts';

/** Properties that identify an event or define its dates, and properties for a single program. */
const ownFields =
  /^(uid|series|params|recurrence-id|dtstamp|d?created|[adpm]alarm|last-modified|sequence|class|status|transp|rrule|exrule|rdate|exdate|x-(apple|lic|microsoft|mozilla|ms|wr)-.*)$/;

/** Properties that have the description as HTML if their FMTTYPE says so. */
const styledDescriptions = ['x-alt-desc', 'styled-description'];

/**
 * Reads calendars (RFC 5545). Fields: the properties by their RFC 5545 names in lower case, and `start`, `end`, `allDay`, `image`;
 * see docs/ical.md.
 */
export const ical = defineConnector({
  kind: 'ical',
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

function isHtmlField(field: string, fields: SourceRecord['fields']): boolean {
  return styledDescriptions.some((name) => {
    const isFrom = field === name || (field === 'description' && fields.description === fields[name]);
    return isFrom && [paramsOf(name, fields)].flat().some(hasHtmlType);
  });
}

function paramsOf(name: string, { params }: SourceRecord['fields']): unknown {
  return isObject(params) ? params[name] : undefined;
}

function hasHtmlType(params: unknown): boolean {
  return isObject(params) && String(params.fmttype).toLowerCase() === 'text/html';
}
