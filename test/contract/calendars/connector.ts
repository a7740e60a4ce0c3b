import { ical } from '../../../connectors/ical/ical.ts';
import { readFeed } from '../../unit/connectors/read-feed.ts';
import type { Window } from './node-ical.ts';
import { occurrence, type Reading } from './reading.ts';

/** Reads a calendar with the connector. Times without a zone are in UTC, as for the second reader. */
export async function readWithConnector(content: Uint8Array, window: Window): Promise<Reading> {
  const { records } = await readFeed(ical, content, {
    window,
    timezone: 'UTC',
    siteTimezone: 'UTC',
    options: { maxOccurrences: 500 },
  });
  const series = Map.groupBy(records, ({ fields }) => String(fields.series));
  return new Map(
    [...series].map(([uid, group]) => [
      uid,
      group.map(({ fields: { start, end, summary } }) => occurrence(utc(start), utc(end), String(summary ?? ''))),
    ]),
  );
}

/** Converts `2026-03-01T19:00:00-05:00[America/New_York]` to UTC, and keeps a day. */
function utc(value: unknown): string {
  const text = String(value);
  return text.includes('T') ? new Date(text.replace(/\[.*\]$/, '')).toISOString() : text;
}
