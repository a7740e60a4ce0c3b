import { sha256 } from '../../../src/core/hash.ts';
import type { CalendarEvent } from './event.ts';

/** An event that is to be published, under a key of its own. */
export interface KeyedEvent {
  event: CalendarEvent;
  /** Not empty where its UID is not its alone. */
  suffix: string;
}

type Warn = (at: string, message: string) => void;

/**
 * Keeps, of the events with one identity, the one with the highest SEQUENCE (RFC 5545, 3.8.7.4). Several with the same number
 * are different events that share a UID by mistake: all are kept, the later ones under keys made of their content.
 */
export function latestRevisions(events: readonly CalendarEvent[], warn: Warn): KeyedEvent[] {
  if (events.length === 1) return events.map((event) => ({ event, suffix: '' }));
  const highest = Math.max(...events.map(({ sequence }) => sequence));
  const [first, ...others] = events.filter(({ sequence }) => sequence === highest);
  for (const { at, sequence } of events) {
    if (sequence < highest) warn(at, `a later revision (SEQUENCE ${highest}) takes its place`);
  }
  return first === undefined ? [] : [{ event: first, suffix: '' }, ...distinct(first, others, warn)];
}

function distinct(first: CalendarEvent, others: readonly CalendarEvent[], warn: Warn): KeyedEvent[] {
  const seen = new Set([fingerprint(first)]);
  return others.flatMap((event) => {
    const content = fingerprint(event);
    if (seen.has(content)) {
      warn(event.at, `it is the same as ${first.at} and left out`);
      return [];
    }
    seen.add(content);
    const suffix = `#${content.slice(0, 12)}`;
    warn(event.at, `its UID is that of ${first.at} too; it is kept under a key that ends in ${suffix}`);
    return [{ event, suffix }];
  });
}

const telling = new Set(['DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE', 'SUMMARY', 'LOCATION', 'DESCRIPTION']);

/** What tells two events apart for people; DTSTAMP and the like change with every export. */
function fingerprint({ properties }: CalendarEvent): string {
  const told = properties.filter(({ name }) => telling.has(name)).map(({ name, value }) => `${name}:${value}`);
  return sha256(JSON.stringify(told.sort()));
}
