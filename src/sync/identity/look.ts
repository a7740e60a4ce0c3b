import { hashJson } from '../../core/hash.ts';
import type { Resource } from '../../core/record.ts';
import { compare } from './identity.ts';
import { areElsewhere, type Places, placesOf } from './places.ts';
import { type Sighting, sightingOf } from './sighting.ts';

/** What a visitor of the site takes for the same event or account, whoever made it. */
export interface Look extends Sighting {
  /** Of an event. */
  places: Places;
}

/** Returns the look of an item of the CMS, or of the item that a payload would become. External ids do not count. */
export function lookOf(attributes: Readonly<Record<string, unknown>>, resource: Resource): Look {
  return { ...sightingOf(attributes, resource), places: resource === 'events' ? placesOf(attributes) : {} };
}

/**
 * Whether a record looks like an item: events with the same title, day and start that are not at different places, accounts with
 * the same email or username. A start that one of them does not show does not matter.
 */
export function areAlike({ places, ...look }: Look, item: Look): boolean {
  const grade = compare(item, { externalIds: [], looks: [look] });
  return (grade === 'same' || grade === 'similar') && !areElsewhere(places, item.places);
}

/** Hash of a look: an answer about a record that looks like another one ends when its look changes. */
export function lookHash({ title, day, start, email, username, places }: Look): string {
  return hashJson([title, day, start, email, username].map((value) => value ?? null).concat(JSON.stringify(places)));
}
