import type { App } from '../../app/app.ts';
import { withBroken } from '../../config/select.ts';
import type { RecordSearch } from '../answers/paging.ts';
import { isAnyFound, type RecordPageView } from '../views/sync.ts';
import { withFindings } from './differing.ts';
import { searchRejected, searchWaiting } from './not-in-ledger.ts';
import { searchRecords } from './records.ts';
import { wordsFit } from './search-words.ts';

/**
 * Lists or searches for records. A search by words also finds what only held plans and rejections have, and syncs by their names;
 * if nothing has the words, it finds what has similar ones.
 */
export async function searchEverywhere(
  search: RecordSearch,
  known: Pick<App, 'config' | 'ledger'>,
): Promise<RecordPageView> {
  const { words = '', after, states = [], isSimilar = false } = search;
  const page = await withFindings(await searchRecords(search, known.ledger), known.ledger);
  if (words.trim() === '' || after !== undefined || states.length > 0) return page;
  const found = { ...page, ...(await searchElsewhere(words, search, page, known)) };
  if (isSimilar || isAnyFound(found)) return found;
  // The next page of similar ones would be of the words as they are.
  const { next: _, ...similar } = await searchEverywhere({ ...search, isSimilar: true }, known);
  return isAnyFound(similar) ? { ...similar, isSimilar: true } : similar;
}

async function searchElsewhere(
  words: string,
  { sync, isMasked = false, isSimilar = false }: RecordSearch,
  { records }: RecordPageView,
  { config, ledger }: Pick<App, 'config' | 'ledger'>,
): Promise<Pick<RecordPageView, 'waiting' | 'rejected' | 'named'>> {
  const names = withBroken(config).syncs.map(({ name }) => name);
  const fits = wordsFit(words, { isSimilar });
  const asked = { fits, syncs: sync === undefined ? names : [sync], isMasked };
  const [waiting, rejected] = await Promise.all([searchWaiting(asked, ledger), searchRejected(asked, ledger)]);
  const nameOf = (record: { sync: string; key: string }) => JSON.stringify([record.sync, record.key]);
  const known = new Set(records.map(nameOf));
  return {
    waiting: waiting.filter((record) => !known.has(nameOf(record))),
    rejected,
    named: sync === undefined ? names.filter(fits) : [],
  };
}
