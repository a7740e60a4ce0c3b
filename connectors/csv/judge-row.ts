import { columnNames, nameKey } from './column-names.ts';
import type { Fit } from './profile.ts';
import { isValue } from './traits.ts';

/** What a row is, beside the rows before it. */
export type RowKind = 'data' | 'header' | 'other header' | 'remark' | 'shifted';

/** What a row is compared with. */
interface Context {
  /** The names of the columns. */
  columns: readonly string[];
  /** Whether a name key is that of a column of the feed. */
  isKnown(key: string): boolean;
  fit: Fit;
  /** Whether blank lines are above the row. */
  isAfterGap: boolean;
}

/** Words of usual names of columns: names of such words show a header row, if its names are not those of the first one. */
const USUAL_WORDS = new Set(
  (
    'id nr no key uid code name number title event artist speaker subject topic date day start starts begin end ends time from to until location place venue room ' +
    'city address street country description details summary notes note comment comments url link website email mail phone tel contact category type ' +
    'status price cost fee seats capacity organizer organiser host department group quantity amount total count image ' +
    'titel datum tag beginn anfang ende uhrzeit zeit von bis ort raum saal stadt adresse beschreibung kategorie art preis telefon plätze veranstalter ' +
    'titre nom jour début fin heure lieu salle ville catégorie prix adresse organisateur título nombre fecha hora inicio lugar sala ciudad ' +
    'dirección descripción categoría precio titolo nome data ora luogo città indirizzo descrizione prezzo tijd plaats locatie zaal omschrijving prijs'
  )
    .split(' ')
    .map(nameKey),
);
const FILLERS = new Set('of the de der du des di del full first last new'.split(' '));
/** What stands for a value that is not known yet. */
const PLACEHOLDER = /^(?:tb[acd]|n\/?a|none|null|unknown|various|to be \w+|sold out|cancell?ed|postponed)\.?$/i;
const SUMMARY =
  /^[*(]|^(grand |sub)?-?(totals?|sum|summe|gesamt\w*|insgesamt|anzahl|totale?|totaal|suma|somme|count|average|durchschnitt|moyenne|Σ|∑)\b/iu;
const TOTAL = /^(grand |sub)?-?(totals?|summe|insgesamt|gesamt\w*|totale|totaal|suma)\s*:?$/i;
const LONGEST_NAME = 40;

/**
 * Judges a row that may not be data: a header row of the same names, the header row of another table, a total, title or note, or
 * values in the wrong columns.
 */
export function judgeRow(fields: readonly string[], { columns, isKnown, fit, isAfterGap }: Context): RowKind {
  const names = columnNames(fields);
  const keys = names.filter((name) => name !== '').map(nameKey);
  const shared = keys.filter(isKnown).length;
  const hasAllNames = shared === keys.length && shared >= columns.length;
  const isUnlike = hasAllNames || fit.misses > fit.fits || fit.misses + fit.fits === 0;
  if (isUnlike && isHeaderLike(fields, isKnown)) return 'header';
  if (keys.length >= 2 && new Set(keys).size === keys.length && names.every(isNameLike) && isOtherHeader())
    return 'other header';
  if (isRemark(names.find((name) => name !== '') ?? '', fit, isAfterGap)) return 'remark';
  return fit.isShifted ? 'shifted' : 'data';

  function isOtherHeader(): boolean {
    const usual = names.filter((name) => isKnown(nameKey(name)) || isUsual(name)).length;
    const isFull = names.length >= columns.length;
    if (fit.misses === 0) return fit.fits === 0 && isAfterGap && isFull && usual === keys.length;
    if (fit.misses <= fit.fits) return false;
    const isAlike = initials(names) === initials(columns) && names.every((name) => !/\s/.test(name));
    if (isAfterGap) return usual >= 1 || (isFull && (fit.misses >= 2 || isAlike));
    return isFull && (usual >= 2 || fit.misses >= (shared > 0 ? 2 : 3));
  }
}

/** Whether at least two fields, and half of all, are different names of columns, and none is a value. */
export function isHeaderLike(fields: readonly string[], isKnown: (key: string) => boolean): boolean {
  const filled = fields.filter((field) => field.trim() !== '');
  const shared = new Set(filled.map(nameKey).filter(isKnown)).size;
  const isNoName = (field: string) => isValue(field) || PLACEHOLDER.test(field);
  return shared >= 2 && shared * 2 >= filled.length && !filled.some((field) => isNoName(field.trim()));
}

function isUsual(name: string): boolean {
  const words = name.split(/[\s_./()-]+|(?<=\p{Ll})(?=\p{Lu})/u).map(nameKey);
  return (
    words.some((word) => USUAL_WORDS.has(word)) && words.every((word) => USUAL_WORDS.has(word) || FILLERS.has(word))
  );
}

/** Whether names begin with capital letters, with small ones, or some of both. */
function initials(names: readonly string[]): string {
  const isSmall = (name: string) => name.slice(0, 1) === name.slice(0, 1).toLowerCase();
  return names.every(isSmall) ? 'small' : names.some(isSmall) ? 'both' : 'capital';
}

function isNameLike(text: string): boolean {
  const isShort = text.length <= LONGEST_NAME && text.split(/\s+/).length <= 5;
  return (
    isShort &&
    text !== '' &&
    !isValue(text) &&
    !PLACEHOLDER.test(text) &&
    /\p{L}|#/u.test(text) &&
    !/[!?;]|\S{5}\.$/.test(text)
  );
}

function isRemark(first: string, fit: Fit, isAfterGap: boolean): boolean {
  if (TOTAL.test(first) && (isAfterGap || fit.startsOtherwise)) return true;
  if (SUMMARY.test(first) && fit.misses > fit.fits) return true;
  if (fit.fits > fit.misses) return false;
  if (fit.misses === 0) return isAfterGap && fit.fits === 0 && fit.isSparse && fit.filled === 1;
  if (isAfterGap && fit.startsOtherwise) return true;
  return fit.fits === 0 && fit.isSparse && (isAfterGap || fit.filled === 1);
}
