import { setImmediate } from 'node:timers/promises';
import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { isMasked, masked, maskedIn } from '../../core/text/masked.ts';
import { type SearchTerm, searchTerms, syncTerm, wordsIn } from '../../core/text/search-terms.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ListedRecord } from '../../ledger/records/record-search.ts';
import { readWords, searchedName } from '../../sync/explain/find-records.ts';
import { type RecordSearch, readCursor, toCursor } from '../answers/paging.ts';

/** A day as `searchTerms` has it. */
const IS_DAY = /^d\d{6}/;
/** Limit for the time of a search for similar words, which reads many records. */
const SIMILAR_WITHIN_MS = 500;
/** Number of records that are read at a time. */
const CHUNK = 250;

const position = z.object({ id: z.number() });

/** A search by words, and the condition that the records meet besides. */
type WordSearch = RecordSearch & { words: string; isWanted(record: ListedRecord): boolean };

/**
 * Searches for records by the id or address of their item, by their key, or by the beginnings of their words. The first page begins
 * with the record that has exactly this key.
 */
export async function searchWords(
  { words, sync, after, limit, isMasked: hidesAddresses = false, isSimilar = false, isWanted }: WordSearch,
  { records }: Ledger,
): Promise<{ found: ListedRecord[]; next?: string }> {
  const { ids, isAddress } = readWords(words);
  const isFirst = after === undefined;
  const owners = isFirst ? await ownersOf([...ids]) : [];
  if (owners.length > 0 || isAddress) return { found: owners };
  const named = isFirst ? await recordsNamed() : [];
  const asked = searchTerms(words);
  if (asked.length === 0) return { found: named };
  const deadline = isSimilar ? performance.now() + SIMILAR_WITHIN_MS : Number.POSITIVE_INFINITY;
  const terms = [
    ...(isSimilar ? asked.map(beginningOf) : asked),
    ...(sync === undefined ? [] : [{ text: syncTerm(sync), isPrefix: false }]),
  ];
  const found = [...named];
  let at: number | undefined = isFirst ? 0 : readCursor(after, position).id;
  while (at !== undefined) {
    const { rows, next }: Page = await records.withWords(terms, { after: at, limit: CHUNK });
    for (const { id, record } of rows) {
      if (record.key === words || !isWanted(record) || !isShown(record)) continue;
      if (found.length >= limit) return { found, next: toCursor({ id: at }) };
      found.push(record);
      at = id;
    }
    if (performance.now() > deadline) break;
    at = next;
    // SQLite blocks this process, which also has to serve other requests.
    await setImmediate();
  }
  return { found };

  async function ownersOf(numbers: readonly string[]): Promise<ListedRecord[]> {
    const safe = numbers.map(Number).filter(Number.isSafeInteger);
    return (await Promise.all(safe.map((id) => records.withCmsId(id)))).flat().filter(isWanted);
  }

  async function recordsNamed(): Promise<ListedRecord[]> {
    const syncs = sync === undefined ? await records.syncsWithRecords() : [sync];
    return (await records.named(syncs, words)).filter((record) => isWanted(record) && !isHidden(record));
  }

  /** Whether a viewer who sees no addresses finds the record by what it sees. */
  function isShown(record: ListedRecord): boolean {
    if (isSimilar) return hasWords(hidesAddresses ? shownText(record) : wholeText(record), asked, isTypo);
    return !hidesAddresses || hasWords(shownText(record), asked);
  }

  function isHidden({ resource, key }: ListedRecord): boolean {
    return hidesAddresses && resource === 'accounts' && isMasked(masked(key));
  }
}

/** Returns whether a text has all words of a search, or words that differ from them in a letter. */
export function wordsFit(words: string, { isSimilar }: { isSimilar: boolean }): (text: string) => boolean {
  const terms = searchTerms(words);
  return isSimilar ? (text) => terms.length > 0 && hasWords(text, terms, isTypo) : readWords(words).fits;
}

type Page = Awaited<ReturnType<Ledger['records']['withWords']>>;

/** The keys of events are shown, because the UIDs of iCal look like addresses. */
function shownText({ resource, key, payload }: ListedRecord): string {
  return `${resource === 'events' ? key : masked(key)} ${searchedName(maskedIn(payload))}`;
}

function wholeText({ key, payload }: ListedRecord): string {
  return `${key} ${searchedName(payload)}`;
}

/** The days of events hold no addresses, so they need not be looked for. */
function hasWords(
  text: string,
  terms: readonly SearchTerm[],
  fits = (word: string, term: string) => word.startsWith(term),
): boolean {
  const words = wordsIn(text);
  return terms.every((term) => IS_DAY.test(term.text) || words.some((word) => fits(word, term.text)));
}

/** Shorter words with another letter are other words. */
function beginningOf(term: SearchTerm): SearchTerm {
  return term.text.length < 4 || IS_DAY.test(term.text) ? term : { text: term.text.slice(0, 2), isPrefix: true };
}

/** Whether a word begins as it was typed, but for one letter: two neighbours that changed places count as one. */
function isTypo(word: string, typed: string): boolean {
  if (typed.length < 4) return word.startsWith(typed);
  const lengths = [typed.length - 1, typed.length, typed.length + 1];
  const swapped = (nth: number) => typed.slice(0, nth) + typed[nth + 1] + typed[nth] + typed.slice(nth + 2);
  return (
    lengths.some((length) => distance(word.slice(0, length), typed) <= 1) ||
    Array.from({ length: typed.length - 1 }, (_, nth) => swapped(nth)).some((each) => word.startsWith(each))
  );
}
