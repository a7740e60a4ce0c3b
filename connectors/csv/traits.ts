/** What distinguishes values from words, as bits: a digit, the sign of an e-mail address, a URL. */
export const DIGIT = 1;
export const EMAIL = 2;
export const URL_START = 4;
/** No blank inside: `12`, `a-7`, `2027-03-01`, but not `March 2027`. */
export const COMPACT = 8;
export const TRAITS = [DIGIT, EMAIL, URL_START, COMPACT];

const tests: Readonly<Record<number, (text: string) => boolean>> = {
  [DIGIT]: (text) => /\d/.test(text),
  [EMAIL]: (text) => text.includes('@'),
  [URL_START]: (text) => text.includes('://') || text.startsWith('www.'),
  [COMPACT]: (text) => !/\S\s+\S/.test(text),
};

export function hasTrait(text: string, trait: number): boolean {
  return tests[trait]?.(text) ?? false;
}

/** Returns the traits of a text. */
export function traitsOf(text: string): number {
  return TRAITS.reduce((all, trait) => (hasTrait(text, trait) ? all | trait : all), 0);
}

/** Returns the trait that makes most of the difference between values with these traits and words; 0: there is none. */
export function mainTrait(traits: number): number {
  return traits & URL_START || traits & EMAIL || traits & DIGIT;
}

/** Whether a text is data, and no name of a column: a number, an e-mail address, a URL, a date, a time. */
export function isValue(text: string): boolean {
  return (
    /^[-+]?\d+([.,]\d+)?$/.test(text) ||
    /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(text) ||
    /^(https?:\/\/|www\.)\S+$/i.test(text) ||
    /^\d{1,4}[-./]\s?\d{1,2}[-./]\s?\d{2,4}(?!\d)/.test(text) ||
    /^\d{8}T\d{4}/.test(text) ||
    /^\d{1,2}:\d{2}/.test(text) ||
    /^\d{1,2}\.?\s\p{L}{3,}\.?\s\d{4}\b/u.test(text) ||
    /^\p{L}{3,}\.?\s\d{1,2},\s\d{4}\b/u.test(text)
  );
}
