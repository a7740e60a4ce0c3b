import { namesPlace, textsIn } from '../../core/text/place-names.ts';
import { withoutMarkup } from './sighting.ts';

/** Where an item is: the words of its attributes that name a place, by the names of the attributes. */
export type Places = Readonly<Record<string, readonly string[]>>;

/** Returns where an item of the CMS is, or the item that a payload would become. */
export function placesOf(attributes: Readonly<Record<string, unknown>>): Places {
  const named = Object.entries(attributes).filter(([name]) => namesPlace(name));
  return Object.fromEntries(
    named.flatMap(([name, value]) => {
      const words = [...new Set(textsIn(value).flatMap((text) => wordsOf(text)))].sort();
      return words.length > 0 ? [[name, words]] : [];
    }),
  );
}

/**
 * Whether two items are certainly at different places: both name one in the same attribute, and each has a word that the other
 * lacks. "Main hall" and "Main hall, second floor" may be the same place; "Main library" and "North library" are not.
 */
export function areElsewhere(one: Places, other: Places): boolean {
  return Object.entries(one).some(([name, words]) => {
    const others = other[name];
    return others !== undefined && lacksSome(words, others) && lacksSome(others, words);
  });
}

function lacksSome(words: readonly string[], among: readonly string[]): boolean {
  return words.some((word) => !among.includes(word));
}

function wordsOf(text: string): string[] {
  const plain = withoutMarkup(text).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
