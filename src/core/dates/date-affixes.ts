import { languages, weekdayOf } from './calendar-names.ts';
import { languagesOfPeriod } from './day-periods.ts';

/** The texts before, between and after a date and a time of day, as parts of a format. */
export interface Affixes {
  formats: string[];
  weekday?: string;
  /** Whether a word says that a number is a time of day: `kl`, `Uhr`. */
  isClock: boolean;
  /** Whether there are words that are not usual beside a date. */
  isOdd: boolean;
  /** Whether one of these words is a part of the day. */
  isHalf: boolean;
}

const clockWords =
  /^(h|hs|hrs?|uhr|uur|hod|godz|kl|klo|ore|ura|ór[ay]|ч|час(ов|а)?|ώρα|saat|at|um|om|à|alle|las|в|о)\.?$/iu;
const usualWords =
  /^(t|le|el|il|am|den|der|die|vom|von|on|op|the|a|ab|od|od|from|from|de|del|du|des|r|г|года?|m|d|kell|beginn|start|[A-Z]{2,4})\.?$/u;
const word = /[\p{L}\p{M}][\p{L}\p{M}.'’]*/gu;

/** @param isDated whether a weekday may be among the words */
export function readAffixes(texts: readonly string[], isDated: boolean): Affixes {
  const affixes: Affixes = { formats: [], isClock: false, isOdd: false, isHalf: false };
  for (const text of texts) {
    let end = 0;
    let format = '';
    for (const { 0: found, index } of text.matchAll(word)) {
      format += formatLiteral(text.slice(end, index));
      end = index + found.length;
      if (isDated && affixes.weekday === undefined && isWeekday(found)) {
        affixes.weekday = found;
        format += 'EEEE';
        continue;
      }
      affixes.isClock ||= clockWords.test(found);
      const isOdd = !clockWords.test(found) && !usualWords.test(found);
      affixes.isOdd ||= isOdd;
      affixes.isHalf ||= isOdd && languagesOfPeriod(found).length > 0;
      format += formatLiteral(found);
    }
    affixes.formats.push(format + formatLiteral(text.slice(end)));
  }
  return affixes;
}

function isWeekday(name: string): boolean {
  return languages.some((language) => weekdayOf(name, language) !== undefined);
}

/** Writes text so that a format takes it as it is: words in quotes, apostrophes doubled. */
export function formatLiteral(text: string): string {
  const quoted = (found: string) => (/[A-Za-z]/.test(found) ? `'${found}'` : found);
  return text.replaceAll("'", "''").replace(/[\p{L}\p{M}]+/gu, quoted);
}
