import { fold, wordsIn } from './search-terms.ts';

/** The words by which the name of an attribute says that it holds a place. */
const placeNames = new Set(
  (
    'location venue place room hall building branch campus address street city town area floor auditorium library theater theatre ' +
    'ort raum saal gebäude adresse standort veranstaltungsort lieu salle bâtiment ville lugar sala edificio ciudad sede luogo ' +
    'locatie plaats zaal gebouw adres'
  )
    .split(' ')
    .map(fold),
);

/** Returns whether an attribute with this name, such as `eventLocation` or `room_name`, holds a place. */
export function namesPlace(attribute: string): boolean {
  return wordsIn(attribute.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).some((word) => placeNames.has(word));
}

/** Returns the texts and numbers in a value, at any depth. */
export function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || depth > 3) return [];
  return Object.values(value).flatMap((part: unknown) => textsIn(part, depth + 1));
}
