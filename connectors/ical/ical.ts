import { z } from 'zod';
import { defineConnector, type ReadContext } from '../../src/core/connector.ts';
import { CodedError } from '../../src/core/errors.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { type RawEvent, readEvents } from './components.ts';
import { type ReadEvent, readEvent } from './event.ts';
import { currentRevisions } from './revisions.ts';
import { readTextLines } from './text-lines.ts';

/** Nothing to choose: RFC 5545 settles it all. */
const options = z.strictObject({});

/**
 * Reads calendars (RFC 5545): every VEVENT by itself, so that a bad one is rejected alone. The events of a feed are held
 * in memory until its end, since a later revision may replace an earlier one.
 *
 * Fields: the properties by their names in lower case, and `start`, `end`, `allDay`, `repeats`, `image`.
 * @throws CodedError FF_FEED_FORMAT where the feed is no calendar, FF_FEED_CHARSET where it cannot be decoded.
 */
export const ical = defineConnector<z.infer<typeof options>>({
  kind: 'ical',
  options,
  defaultMap: { title: 'summary', description: 'description', start: 'start', end: 'end', allDay: 'allDay' },
  read,
});

async function* read(feed: Feed, _: unknown, context: ReadContext): AsyncGenerator<SourceRecord> {
  const events: ReadEvent[] = [];
  for await (const raw of readEvents(readTextLines(feed, context), feed.location, context)) {
    const event = readOrReject(raw, context);
    if (event) events.push(event);
  }
  let repeating = 0;
  for (const event of currentRevisions(events, context.warn)) {
    const { at } = event.record;
    if (event.cancelled) context.warn({ at, message: 'it is cancelled and not published' });
    else {
      if (event.repeats) repeating += 1;
      yield event.record;
    }
  }
  if (repeating > 0) {
    const message = `recurring events are published once each, on their first date: ${repeating} of them`;
    context.warn({ at: feed.location, message });
  }
}

function readOrReject(raw: RawEvent, context: ReadContext): ReadEvent | undefined {
  try {
    return readEvent(raw, context);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    const rawValue = (name: string) => raw.properties.find((property) => property.name === name)?.value;
    const [uid, summary] = [rawValue('UID'), rawValue('SUMMARY')];
    context.reject({
      at: raw.at,
      code: error.code,
      reason: error.message,
      ...(uid === undefined ? {} : { key: uid }),
      fields: { uid, summary },
    });
    return undefined;
  }
}
