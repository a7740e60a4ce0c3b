import type { ReadContext } from '../../src/core/connector.ts';
import { sha256 } from '../../src/core/hash.ts';
import type { ReadEvent } from './event.ts';

/**
 * Keeps, of the events with one key, the one with the highest SEQUENCE (RFC 5545, 3.8.7.4). Several with the same number
 * are different events that share a UID by mistake: all are kept, the later ones under keys made of their content.
 */
export function currentRevisions(events: readonly ReadEvent[], warn: ReadContext['warn']): ReadEvent[] {
  return [...Map.groupBy(events, ({ key }) => key).values()].flatMap((group) => {
    const highest = Math.max(...group.map(({ sequence }) => sequence));
    const [first, ...others] = group.filter(({ sequence }) => sequence === highest);
    for (const { record, sequence } of group) {
      if (sequence < highest)
        warn({ at: record.at, message: `a later revision (SEQUENCE ${highest}) takes its place` });
    }
    return first === undefined ? [] : [first, ...distinct(first, others, warn)];
  });
}

function distinct(first: ReadEvent, others: readonly ReadEvent[], warn: ReadContext['warn']): ReadEvent[] {
  const seen = new Set([fingerprint(first)]);
  return others.flatMap((event) => {
    const { at, fields } = event.record;
    const content = fingerprint(event);
    if (seen.has(content)) {
      warn({ at, message: `it is the same as ${first.record.at} and left out` });
      return [];
    }
    seen.add(content);
    const key = `${event.key}#${content.slice(0, 12)}`;
    warn({ at, message: `its UID is that of ${first.record.at} too; it is kept under the key ${key}` });
    return [{ ...event, key, record: { at, fields: { ...fields, uid: key } } }];
  });
}

/** What tells two events apart for people; DTSTAMP and the like change with every export. */
function fingerprint({ record }: ReadEvent): string {
  const { start, end, summary, location, description } = record.fields;
  return sha256(JSON.stringify([start, end, summary, location, description]));
}
