import { languages } from './calendar-names.ts';

/** Hours (0 to 23) of the day that a language names with a word: `PM`, `오후`, `abends`. */
export type DayPeriods = ReadonlyMap<string, ReadonlySet<number>>;

const styles = [{}, { dayPeriod: 'short' }, { dayPeriod: 'long' }] as const;
const periodsByLanguage = new Map<string, DayPeriods>();

/** Returns the words of a language (BCP 47) for the halves and other periods of the day, without dots and in lower case. */
export function dayPeriodsIn(language: string): DayPeriods {
  const known = periodsByLanguage.get(language);
  if (known) return known;
  const periods = new Map<string, Set<number>>();
  for (const style of styles) {
    const format = new Intl.DateTimeFormat(language, { hour: 'numeric', hour12: true, ...style, timeZone: 'UTC' });
    for (let hour = 0; hour < 24; hour += 1) {
      const part = format.formatToParts(Date.UTC(2024, 0, 1, hour)).find(({ type }) => type === 'dayPeriod');
      const word = plainPeriod(part?.value ?? '');
      if (word !== '') periods.set(word, (periods.get(word) ?? new Set()).add(hour));
    }
  }
  periodsByLanguage.set(language, periods);
  return periods;
}

/** Returns a word for a period of the day as it is compared: `p. m.` and `PM` are the same. Arabic is written with or without vowels. */
export function plainPeriod(word: string): string {
  return word
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[.\s\u064b-\u0652]/g, '');
}

let languagesByPeriod: Map<string, string[]> | undefined;

/**
 * Returns the languages that have a word for a period of the day; all languages read `am` and `pm`. Leaves out words of two Latin
 * letters: `de` and `du` are Hungarian for these, but more often mean "of".
 */
export function languagesOfPeriod(word: string): readonly string[] {
  const plain = plainPeriod(word);
  // Most times have no word: the words of all languages take long to list.
  if (plain === '') return [];
  if (languagesByPeriod === undefined) {
    languagesByPeriod = new Map();
    for (const language of languages) {
      for (const period of dayPeriodsIn(language).keys()) {
        if (/^[a-z]{1,2}$/.test(period)) continue;
        languagesByPeriod.set(period, [...(languagesByPeriod.get(period) ?? []), language]);
      }
    }
  }
  return languagesByPeriod.get(plain) ?? [];
}

/** By how many hours people extend a period of the day: `5 in the evening`. */
const STRETCH = 2;

/**
 * Converts an hour of the 12-hour clock.
 * @param period `am`, `p.m.`, or a word of the language
 * @returns undefined for 0, for more than 12, and for an unknown word
 */
export function hourInPeriod(hour: number, period: string, language: string): number | undefined {
  if (hour < 1 || hour > 12) return undefined;
  const word = plainPeriod(period);
  if (/^[ap]m?$/.test(word)) return (hour % 12) + (word.startsWith('p') ? 12 : 0);
  const hours = [...(dayPeriodsIn(language).get(word) ?? [])];
  const within = (most: number) =>
    [hour % 12, (hour % 12) + 12].filter((one) => hours.some((known) => Math.abs(known - one) <= most));
  const [only, other] = within(0).length > 0 ? within(0) : within(STRETCH);
  return other === undefined ? only : undefined;
}
