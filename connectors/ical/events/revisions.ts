import { sha256 } from '../../../src/core/hash.ts';
import type { CalendarEvent } from './event.ts';

/** An event to publish under a key of its own. */
export interface KeyedEvent {
  event: CalendarEvent;
  /** Distinguishes events that share a UID by mistake; otherwise empty. */
  suffix: string;
}

type Warn = (at: string, message: string) => void;

/**
 * Selects, from events with one identity, the one with the highest SEQUENCE (RFC 5545, 3.8.7.4). If several have that number,
 * they are different events that share a UID by mistake: all are kept, the later ones under keys made from their content.
 */
export function latestRevisions(events: readonly CalendarEvent[], warn: Warn): KeyedEvent[] {
  if (events.length === 1) return events.map((event) => ({ event, suffix: '' }));
  const highest = Math.max(...events.map(({ sequence }) => sequence));
  const [first, ...others] = events.filter(({ sequence }) => sequence === highest);
  for (const { at, sequence } of events) {
    if (sequence < highest) warn(at, `replaced by a later revision (SEQUENCE ${highest})`);
  }
  return first === undefined ? [] : [{ event: first, suffix: '' }, ...distinct(first, others, warn)];
}

function distinct(first: CalendarEvent, others: readonly CalendarEvent[], warn: Warn): KeyedEvent[] {
  const seen = new Set([fingerprint(first)]);
  return others.flatMap((event) => {
    const content = fingerprint(event);
    if (seen.has(content)) {
      warn(event.at, `duplicate of ${first.at}, skipped`);
      return [];
    }
    seen.add(content);
    const suffix = `#${content.slice(0, 12)}`;
    warn(event.at, `has the same UID as ${first.at}, so its key ends in ${suffix}`);
    return [{ event, suffix }];
  });
}

const distinguishing = new Set([
  'DTSTART',
  'DTEND',
  'DURATION',
  'RRULE',
  'RDATE',
  'SUMMARY',
  'LOCATION',
  'DESCRIPTION',
]);

/** Hashes what people see of an event; DTSTAMP and the like change with every export. */
function fingerprint({ properties }: CalendarEvent): string {
  const lines = properties.filter(({ name }) => distinguishing.has(name)).map(({ name, value }) => `${name}:${value}`);
  return sha256(JSON.stringify(lines.sort()));
}
