import { withoutMarkup } from './sighting.ts';

/** Where an item is: the words of its attributes that name a place, by the names of the attributes. */
export type Places = Readonly<Record<string, readonly string[]>>;

/** The words by which the name of an attribute says that it holds a place. */
const placeNames = new Set(
  (
    'location venue place room hall building branch campus address street city town area floor auditorium library theater theatre ' +
    'ort raum saal gebäude adresse standort veranstaltungsort lieu salle bâtiment ville lugar sala edificio ciudad sede luogo ' +
    'locatie plaats zaal gebouw adres'
  ).split(' '),
);

/** Returns where an item of the CMS is, or the item that a payload would become. */
export function placesOf(attributes: Readonly<Record<string, unknown>>): Places {
  const named = Object.entries(attributes).filter(([name]) => nameWords(name).some((word) => placeNames.has(word)));
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

/** The words of a name such as `eventLocation` or `room_name`. */
function nameWords(name: string): string[] {
  return wordsOf(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'), 'NFC');
}

function wordsOf(text: string, form = 'NFKD'): string[] {
  const plain = withoutMarkup(text).normalize(form).replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The texts and numbers in a value, at any depth. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  return Object.values(value).flatMap((part: unknown) => textsIn(part, depth + 1));
}
