/** A word that a record must have. */
export interface SearchTerm {
  text: string;
  /** Whether the record may have a longer word that begins so. */
  isPrefix: boolean;
}

/** Longer words are cut: the index has no longer ones either. */
const LONGEST = 100;

/** Returns a text without case and accents, so that people find it however they write it. */
export function fold(text: string): string {
  // Most texts are ASCII and need no normalising, which is much slower.
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Returns the folded words of a text: all else, such as the signs of an e-mail address, separates them. */
export function wordsIn(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The index has a day as one word, so that its parts are not found in numbers. */
export function dayTerm(day: string): string {
  return `d${day.replaceAll('-', '')}`;
}

/** The index has the name of the sync as one word that nobody types. */
export function syncTerm(sync: string): string {
  return `s${Buffer.from(sync).toString('hex')}`;
}

/** Returns what a search for words looks for: words that begin so; a day (2027-03-05) or a month (2027-03). */
export function searchTerms(words: string): SearchTerm[] {
  return words.split(/\s+/).flatMap((word) => {
    if (/^\d{4}-\d\d(-\d\d)?$/.test(word)) return [{ text: dayTerm(word), isPrefix: word.length < 10 }];
    return wordsIn(word).map((text) => ({ text: text.slice(0, LONGEST), isPrefix: true }));
  });
}
