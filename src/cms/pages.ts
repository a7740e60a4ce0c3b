import { CmsError, isNotFound } from './errors.ts';
import type { Page } from './items.ts';
import type { ListQuery } from './query.ts';

/** Pages in a row without a new item that end a list, whatever its links say. */
const maxStalePages = 2;

/** How often a list is read at most if it changes meanwhile, or if its pages lack items that it counts. */
const maxReadings = 3;

/**
 * Yields the items of all pages, each id once: items move between pages while a list is read.
 *
 * The API does not define how a list ends (API: "Pagination"). So every sign of another page is followed: a next link, a count
 * of pages, or, without both, the next number. A list ends without such a sign, at a page that does not exist, or after pages
 * without a new item. Page numbers only grow, so that circular links end, too.
 *
 * If the CMS counts fewer items from one page to the next, items were deleted, and others may have moved to a page that was
 * already read: the list is read again. It is also read again if several pages have fewer items than the CMS counts, because
 * their order may change from one request to the next, and if a page that the CMS counted is refused or empty. If the whole
 * list is empty then, that reading proves nothing.
 *
 * @param acceptsHidden pages may be missing if the CMS counts items, because the caller compares the counts
 * @param isProof items that the list lacks count as absent: several pages are read until they show nothing new, because the
 * count stays the same if one item is deleted and another created meanwhile. The last may show new items if none was deleted
 * @returns how many items the CMS counts, if it counts them: more than were yielded, if it does not show all of them
 * @throws CmsError of the request that failed, or FF_CMS_RESPONSE if a page that the CMS counts stays missing, or if the
 * readings of a proof keep changing
 */
export async function* allItems<Item extends { id: number }>(
  readPage: (query: ListQuery) => Promise<Page<Item>>,
  first: ListQuery,
  { acceptsHidden = false, isProof = false } = {},
): AsyncGenerator<Item, number | undefined, undefined> {
  const known = new Set<number>();
  let judged: Reading | undefined;
  for (let readings = 1; ; readings += 1) {
    const knownBefore = known.size;
    const reading: Reading = yield* readOnce(readPage, first, known);
    if (!judged || reading.shown > 0) judged = reading;
    const { counted = 0, pages, shrank, lost } = judged;
    const isShown = counted > 0 && known.size >= counted;
    const isWhole = !shrank && (lost ? isShown : pages === 1 || known.size >= counted);
    const isSteady = !isProof || pages === 1 || (reading.shown > 0 && known.size === knownBefore);
    if (!(isWhole && isSteady) && readings < maxReadings) continue;
    if (!isWhole && lost && !(acceptsHidden && counted > 0)) throw lost;
    if (!isSteady && reading.shown < known.size) throw changingList();
    return counted || undefined;
  }
}

interface Reading {
  /** Number of items that the CMS counts. */
  counted: number | undefined;
  shown: number;
  pages: number;
  /** Whether the CMS counted fewer items meanwhile. */
  shrank: boolean;
  /** Error of the first page that the CMS counted and did not show. */
  lost?: Error;
}

/** Yields the items that were not known before. */
async function* readOnce<Item extends { id: number }>(
  readPage: (query: ListQuery) => Promise<Page<Item>>,
  first: ListQuery,
  known: Set<number>,
): AsyncGenerator<Item, Reading, undefined> {
  const seen = new Set<number>();
  let last: Page<Item> | undefined;
  let step: PageStep | undefined = { page: first.page ?? 1, limit: first.limit };
  let stalePages = 0;
  let pages = 0;
  let counted: number | undefined;
  let shrank = false;
  let lost: Error | undefined;
  while (step && stalePages < maxStalePages) {
    const isCounted = last !== undefined && (pageCount(last) ?? 0) >= step.page;
    const read: Page<Item> | Error = await readPage({ ...first, ...step }).catch(endOfList(last, isCounted));
    if (read instanceof Error) {
      if (isCounted) lost ??= missingPage(step.page, read);
      break;
    }
    const page: Page<Item> = read;
    if (isCounted && page.data.length === 0) lost ??= missingPage(step.page);
    const fresh = page.data.filter(({ id }) => !seen.has(id) && seen.add(id));
    yield* fresh.filter(({ id }) => !known.has(id) && known.add(id));
    shrank ||= isShorter(page, last);
    pages += 1;
    // Later counts may have grown, and beyond the end some CMSs count no items.
    if (pages === 1) counted = total(page);
    stalePages = fresh.length === 0 ? stalePages + 1 : 0;
    step = nextStep(page, step);
    last = page;
  }
  return { counted, shown: seen.size, pages, shrank, lost };
}

/** Whether the CMS counts fewer items than before. Not for an empty page: beyond the end of a list, some CMSs count no items. */
function isShorter(page: Page<unknown>, before: Page<unknown> | undefined): boolean {
  const [counted, countedBefore] = [total(page), before && total(before)];
  if (page.data.length === 0 || counted === undefined || countedBefore === undefined) return false;
  return counted < countedBefore;
}

function total({ pagination, totalItems }: Page<unknown>): number | undefined {
  return pagination?.total ?? totalItems ?? undefined;
}

interface PageStep {
  page: number;
  limit?: number;
}

function nextStep(page: Page<unknown>, { page: current, limit }: PageStep): PageStep | undefined {
  const link = nextLink(page);
  const pages = pageCount(page);
  const next = link?.page ?? current + 1;
  const more = link ? next > current : pages !== undefined ? pages > current : !saysItIsLast(page);
  return more ? { page: next, limit: stepSize(page, link?.limit) ?? limit } : undefined;
}

/** Whether a page without a count of pages is the last: if it is empty, or has links but no next link. */
function saysItIsLast(page: Page<unknown>): boolean {
  const links = page.pagination?.links;
  return page.data.length === 0 || Boolean(links && !links.next);
}

/** The size of the pages. A CMS may send smaller ones than requested: then the next page continues this one only in that size. */
function stepSize(page: Page<unknown>, linked: number | undefined): number | undefined {
  return [linked, page.pagination?.perPage].find((size) => size === page.data.length && size > 0) ?? undefined;
}

/** Returns how many pages the CMS counts; undefined if it does not count them. */
export function pageCount(page: Page<unknown>): number | undefined {
  const { pagination } = page;
  if (typeof pagination?.totalPages === 'number') return pagination.totalPages;
  const items = total(page);
  return items !== undefined && pagination?.perPage ? Math.ceil(items / pagination.perPage) : undefined;
}

/** The next page, by the numbers in a link. The token must not be sent to the address in it. */
function nextLink({ pagination }: Page<unknown>): PageStep | undefined {
  const link = pagination?.links?.next;
  if (typeof link !== 'string') return undefined;
  const params = new URLSearchParams(link.slice(link.indexOf('?') + 1));
  const page = wholeNumber(params.get('page'));
  return page === undefined ? undefined : { page, limit: wholeNumber(params.get('limit')) };
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Returns the error of a refused page after the first: the end of the list, unless the CMS counted the page. */
function endOfList(last: Page<unknown> | undefined, isCounted: boolean): (error: unknown) => CmsError {
  return (error) => {
    const refused =
      isNotFound(error) || (error instanceof CmsError && error.code === 'FF_CMS_BAD_REQUEST' && !isCounted);
    if (last && refused) return error as CmsError;
    throw error;
  };
}

function missingPage(page: number, cause?: Error): CmsError {
  const message = `The CMS counts a page ${page} of a list, but ${cause ? 'refuses it' : 'it is empty'}.`;
  return new CmsError('response', message, { method: 'GET', cause });
}

function changingList(): CmsError {
  const message = 'The items of a list changed each time it was read, so that it proves no absence.';
  return new CmsError('response', message, { method: 'GET' });
}
