import { hashJson } from '../../core/hash.ts';
import { plainText } from '../../core/html/html-text.ts';
import type { Resource } from '../../core/record.ts';
import { namesPlace, textsIn } from '../../core/text/place-names.ts';
import { wordsIn } from '../../core/text/search-terms.ts';
import { compare } from './identity.ts';
import { itemTraits, type Sighting, sightingOf } from './sighting.ts';
import { createTraitIndex } from './trait-index.ts';

/** Where an item is: the words of its attributes that name a place, by the names of the attributes. */
type Places = Readonly<Record<string, readonly string[]>>;

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
function areAlike({ places, ...look }: Look, item: Look): boolean {
  const grade = compare(item, { externalIds: [], looks: [look] });
  return (grade === 'same' || grade === 'similar') && !areElsewhere(places, item.places);
}

/** An index of looks. */
export function createLookIndex<Entry extends { look: Look }>() {
  const { add, sharing, isEmpty } = createTraitIndex<Entry>();
  return {
    isEmpty,
    add: (entry: Entry) => add(itemTraits(entry.look), entry),
    /** The entries that a record looks like. */
    like: (look: Look) => sharing(itemTraits(look)).filter((entry) => areAlike(look, entry.look)),
  };
}

/** Hash of a look: an answer about a record that looks like another one ends when its look changes. */
export function lookHash({ title, day, start, email, username, places }: Look): string {
  return hashJson([title, day, start, email, username].map((value) => value ?? null).concat(JSON.stringify(places)));
}

/** Returns where an item of the CMS is, or the item that a payload would become. */
function placesOf(attributes: Readonly<Record<string, unknown>>): Places {
  const named = Object.entries(attributes).filter(([name]) => namesPlace(name));
  return Object.fromEntries(
    named.flatMap(([name, value]) => {
      const words = [...new Set(textsIn(value).flatMap((text) => wordsIn(plainText(text))))].sort();
      return words.length > 0 ? [[name, words]] : [];
    }),
  );
}

/**
 * Whether two items are certainly at different places: both name one in the same attribute, and each has a word that the other
 * lacks. "Main hall" and "Main hall, second floor" may be the same place; "Main library" and "North library" are not.
 */
function areElsewhere(one: Places, other: Places): boolean {
  return Object.entries(one).some(([name, words]) => {
    const others = other[name];
    return others !== undefined && lacksSome(words, others) && lacksSome(others, words);
  });
}

function lacksSome(words: readonly string[], among: readonly string[]): boolean {
  return words.some((word) => !among.includes(word));
}
