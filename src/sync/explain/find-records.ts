import { similar } from '../../core/suggest.ts';
import { fold } from '../../core/text/search-terms.ts';

/** Attributes by which people know a record, in the order in which they are shown. */
const NAMES = ['title', 'displayName', 'firstName', 'lastName', 'email', 'username'];
const SIMILAR_KEYS = 3;

/** A record that the search has found. */
export interface RecordMatch {
  key: string;
  /** Title of an event, names and e-mail address of an account; for a record that is not mapped, its text fields. */
  name: string;
  /** null: not in the CMS. */
  cmsId: number | null;
}

export type RecordFinder = ReturnType<typeof createRecordFinder>;

/**
 * Searches for records: by words in the key, title, name or e-mail address, in any order, regardless of case and accents; by
 * the id of the CMS item; by an address of the item, which has its id as a part.
 */
export function createRecordFinder(words: string) {
  const { ids, fits } = readWords(words);
  const found = new Map<string, RecordMatch>();
  const keys = new Set<string>();
  return { add, matches, similarKeys };

  /** @param fields payload, or the fields of a record that is not mapped */
  function add(key: string, fields: Readonly<Record<string, unknown>>, cmsId: number | null = null): void {
    keys.add(key);
    const name = searchedName(fields);
    if (!fits(`${key} ${name}`) && !ids.has(String(cmsId)) && !found.has(key)) return;
    // The source comes first: it has the newest name, and the ledger has the id.
    found.set(key, { key, name: found.get(key)?.name ?? name, cmsId });
  }

  /** Records whose item has just this id, else all that fit. */
  function matches(): RecordMatch[] {
    const all = [...found.values()];
    const named = all.filter(({ cmsId }) => ids.has(String(cmsId)));
    return named.length > 0 ? named : all;
  }

  /** Keys that differ from the words by a typo or two. */
  function similarKeys(): string[] {
    return similar(words, [...keys]).slice(0, SIMILAR_KEYS);
  }
}

/**
 * Reads the words of a search.
 * @returns `ids`: ids of items, which are words or part of an address among the words; `isAddress`: whether it is one; `fits`: whether a text has all words
 */
export function readWords(words: string): { ids: Set<string>; isAddress: boolean; fits(text: string): boolean } {
  const folded = fold(words).split(/\s+/).filter(Boolean);
  const isAddress = /^(https?:\/)?\/\S+$/i.test(words.trim());
  const parts = isAddress ? words.trim().split(/[/?&=#]/) : [words.trim()];
  return {
    isAddress,
    ids: new Set(parts.map((part) => part.replace(/^#/, '')).filter((part) => /^\d+$/.test(part))),
    fits(text) {
      const searched = fold(text);
      return !isAddress && folded.length > 0 && folded.every((word) => searched.includes(word));
    },
  };
}

/** Returns the text by which people know a record: the title of an event, names and e-mail address of an account. */
export function searchedName(fields: Readonly<Record<string, unknown>>): string {
  const named = textsOf(NAMES.map((name) => fields[name]));
  return (named.length > 0 ? named : textsOf(Object.values(fields))).join(' ');
}

function textsOf(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === 'string').filter(Boolean);
}
