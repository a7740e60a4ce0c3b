import { sha256 } from '../../../src/core/hash.ts';
import type { EventComponent } from './components.ts';

/**
 * Groups events by UID, in the order of the feed: a single event, or a series and its overrides. An event without a UID is
 * alone, under a name made from its start, title and location, so that it stays the same from one fetch to the next.
 */
export function groupByUid(
  events: Iterable<EventComponent>,
  warn: (at: string, message: string) => void,
): Map<string, EventComponent[]> {
  return Map.groupBy(events, (event) => {
    const uid = textOf(event, 'UID');
    if (uid !== '') return uid;
    warn(event.at, 'no UID: the key is made from start, title and location');
    const content = ['DTSTART', 'SUMMARY', 'LOCATION', 'RECURRENCE-ID'].map((name) => textOf(event, name));
    return `no-uid-${sha256(JSON.stringify(content)).slice(0, 32)}`;
  });
}

function textOf({ properties }: EventComponent, wanted: string): string {
  return properties.find(({ name }) => name === wanted)?.value.trim() ?? '';
}
