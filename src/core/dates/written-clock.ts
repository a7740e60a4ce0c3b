import { formatLiteral } from './date-affixes.ts';
import { languagesOfPeriod } from './day-periods.ts';

/** A time of day in a text, and the format of this part of the text. */
export interface FoundClock {
  start: number;
  end: number;
  format: string;
  /** The languages of the word for the half of the day; absent for `am` and `pm`, and without one. */
  languages?: readonly string[];
  /** What its text needs to be a time of day: `12.30` may be the number of a room, and `19` needs a word such as `Uhr`. */
  needs: 'nothing' | 'no other words' | 'a clock word';
}

const clock =
  /(?<![\d.,:/])(\d{1,2})(?:(:|\.|-(?=00|30|45)|\s?[hH]\s?|\s?[時时點点시]\s?)(\d{2})(:\d{2})?(\s?[分분])?|(\s?(?:[時时點点시]|[hH](?![\p{L}])))(半)?)?(?![\d:])/u;
const english = /^\s?[ap](?:\.?\s?m)?(?![\p{L}])\.?/iu;
const wordsAfter = /^\s?[\p{L}\p{M}.]{1,20}(?:\s[\p{L}\p{M}.]{1,20}){0,3}/u;
const wordBefore = /[\p{L}\p{M}.]{1,20}\s?$/u;
const offset = /^\s?(?:Z|[+-]\d{2}:?\d{2})(?![\p{L}\d])/u;

/**
 * Finds the first time of day in a text.
 * @param isDated whether the text has a date: without one, `-10:30` is the end of a range and not an offset
 */
export function findClock(text: string, isDated: boolean): FoundClock | undefined {
  const match = clock.exec(text);
  if (match === null) return undefined;
  const [whole, , separator, minute, second, mark = '', hourMark, halfHour] = match;
  if (halfHour !== undefined) return undefined;
  const rest = text.slice(match.index + whole.length);
  const before = text.slice(0, match.index);
  const later = periodAfter(rest);
  const earlier = later === undefined ? periodBefore(before) : undefined;
  const period = later ?? earlier;
  const hour = period === undefined ? 'H' : 'h';
  const minutes = minute === undefined ? formatLiteral(hourMark ?? '') : `${formatLiteral(separator ?? '')}mm`;
  const written = `${hour}${minutes}${second === undefined ? '' : ':ss'}${formatLiteral(mark)}`;
  const afterHalf = rest.slice(later?.text.length ?? 0);
  const [zone = ''] = minute === undefined || !isDated ? [] : (offset.exec(afterHalf) ?? []);
  const blank = (piece: string) => (/^\s/.test(piece) ? ' ' : '');
  return {
    start: match.index - (earlier?.text.length ?? 0),
    end: match.index + whole.length + (later?.text.length ?? 0) + zone.length,
    format: [
      earlier ? `a${/\s$/.test(earlier.text) ? ' ' : ''}` : '',
      written,
      later ? `${blank(later.text)}a` : '',
      zone ? `${blank(zone)}XXX` : '',
    ].join(''),
    ...(period?.languages && { languages: period.languages }),
    needs:
      period || hourMark || /[^.-]/.test(separator ?? '')
        ? 'nothing'
        : minute === undefined
          ? 'a clock word'
          : 'no other words',
  };
}

interface Period {
  text: string;
  languages?: readonly string[];
}

function periodAfter(text: string): Period | undefined {
  const [half] = english.exec(text) ?? [];
  if (half !== undefined) return { text: half };
  // The word may be several: `de la tarde`.
  const [whole = ''] = wordsAfter.exec(text) ?? [];
  const ends = [...whole.matchAll(/\s|$/g)].map(({ index }) => whole.slice(0, index)).toReversed();
  const words = ends.find((one) => languagesOfPeriod(one).length > 0);
  return words === undefined ? undefined : { text: words, languages: languagesOfPeriod(words) };
}

function periodBefore(text: string): Period | undefined {
  const [word] = wordBefore.exec(text) ?? [];
  if (word === undefined) return undefined;
  if (/^[ap]\.?\s?m\.?\s?$/i.test(word)) return { text: word };
  const languages = languagesOfPeriod(word);
  return languages.length > 0 ? { text: word, languages } : undefined;
}
