import { sha256 } from '../../../src/core/hash.ts';
import type { EventComponent } from './components.ts';

/** All events of a feed that share a UID: a single event, or a series and its changed instances. */
export interface EventGroup {
  uid: string;
  events: EventComponent[];
}

/**
 * Groups events by UID, in the order of the feed. One without a UID stands alone, under a name made of its start, title and
 * place, so that it stays the same from one fetch to the next.
 */
export function groupByUid(
  events: Iterable<EventComponent>,
  warn: (at: string, message: string) => void,
): EventGroup[] {
  const groups = new Map<string, EventGroup>();
  for (const event of events) {
    const uid = uidOf(event) || madeUpUid(event);
    if (uidOf(event) === '') warn(event.at, 'it has no UID; a key is made of its start, title and place');
    const group = groups.get(uid);
    if (group) group.events.push(event);
    else groups.set(uid, { uid, events: [event] });
  }
  return [...groups.values()];
}

/** Empty where there is none. */
function uidOf(event: EventComponent): string {
  return textOf(event, 'UID');
}

function madeUpUid(event: EventComponent): string {
  const told = ['DTSTART', 'SUMMARY', 'LOCATION', 'RECURRENCE-ID'].map((name) => textOf(event, name));
  return `no-uid-${sha256(JSON.stringify(told)).slice(0, 32)}`;
}

function textOf({ properties }: EventComponent, wanted: string): string {
  return properties.find(({ name }) => name === wanted)?.value.trim() ?? '';
}
