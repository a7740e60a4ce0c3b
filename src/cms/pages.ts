import { CmsError, isNotFound } from './errors.ts';
import type { Page } from './items.ts';
import type { ListQuery } from './query.ts';

/** Pages in a row without a new item that end a list, whatever its links say. */
const maxStalePages = 2;

/** How often a list is read at most if it changes while it is read, or if its pages lack items that it counts. */
const maxReadings = 3;

/**
 * Yields the items of all pages, each id once: items move between pages while a list is read.
 *
 * The API does not define how a list ends (API: "Pagination"). So every sign of more is followed: a next link, a count of
 * pages, or, without both, the next number. A list ends without such a sign, at a page that does not exist, or after pages
 * without a new item. Page numbers only grow, so that circular links end, too.
 *
 * If the CMS counts fewer items from one page to the next, items were deleted, and others may have moved to a page that was
 * already read: the list is read again. So it is if several pages have fewer items than the CMS counts: their order may change
 * from one request to the next.
 *
 * @returns how many items the CMS counts, if it does: more than were yielded, if it does not show all
 * @throws CmsError of the request that failed
 */
export async function* allItems<Item extends { id: number }>(
  readPage: (query: ListQuery) => Promise<Page<Item>>,
  first: ListQuery,
): AsyncGenerator<Item, number | undefined, undefined> {
  const known = new Set<number>();
  for (let readings = 1; ; readings += 1) {
    const { counted = 0, pages, shrank } = yield* readOnce(readPage, first, known);
    const isWhole = !shrank && (pages === 1 || known.size >= counted);
    if (isWhole || readings === maxReadings) return counted || undefined;
  }
}

/** Yields the items that are not known yet. Returns what the CMS counts, and whether that became less meanwhile. */
async function* readOnce<Item extends { id: number }>(
  readPage: (query: ListQuery) => Promise<Page<Item>>,
  first: ListQuery,
  known: Set<number>,
): AsyncGenerator<Item, { counted: number | undefined; pages: number; shrank: boolean }, undefined> {
  const seen = new Set<number>();
  let last: Page<Item> | undefined;
  let step: PageStep | undefined = { page: first.page ?? 1, limit: first.limit };
  let stalePages = 0;
  let pages = 0;
  let counted: number | undefined;
  let shrank = false;
  while (step && stalePages < maxStalePages) {
    const page: Page<Item> | undefined = await readPage({ ...first, ...step }).catch(endOfList(step.page, last));
    if (!page) break;
    const fresh = page.data.filter(({ id }) => !seen.has(id) && seen.add(id));
    yield* fresh.filter(({ id }) => !known.has(id) && known.add(id));
    shrank ||= isShorter(page, last);
    pages += 1;
    // On later pages it may have grown, and beyond the end some CMSs count no items.
    if (pages === 1) counted = total(page);
    stalePages = fresh.length === 0 ? stalePages + 1 : 0;
    step = nextStep(page, step);
    last = page;
  }
  return { counted, pages, shrank };
}

/** An empty page proves nothing: beyond the end of a list, some CMSs count no items. */
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

/** Without a count of pages, an empty page is the last one, and so is one with links but no next link. */
function saysItIsLast(page: Page<unknown>): boolean {
  const links = page.pagination?.links;
  return page.data.length === 0 || Boolean(links && !links.next);
}

/** A CMS may send smaller pages than requested. Then the next page continues this one only if it has its real size. */
function stepSize(page: Page<unknown>, linked: number | undefined): number | undefined {
  return [linked, page.pagination?.perPage].find((size) => size === page.data.length && size > 0) ?? undefined;
}

/** Returns how many pages the CMS counts, if it does. */
export function pageCount(page: Page<unknown>): number | undefined {
  const { pagination } = page;
  if (typeof pagination?.totalPages === 'number') return pagination.totalPages;
  const items = total(page);
  return items !== undefined && pagination?.perPage ? Math.ceil(items / pagination.perPage) : undefined;
}

/** Takes only the numbers from a link, not its address: the token must not be sent there. */
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

/** A refused page after the first is the end, unless the page before counted it and it is not a 404. */
function endOfList(page: number, last: Page<unknown> | undefined): (error: unknown) => undefined {
  return (error) => {
    const promised = last && (pageCount(last) ?? 0) >= page;
    const isEnd = isNotFound(error) || (error instanceof CmsError && error.code === 'FF_CMS_BAD_REQUEST' && !promised);
    if (!last || !isEnd) throw error;
  };
}
