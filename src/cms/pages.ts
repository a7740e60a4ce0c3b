import { CmsError, isNotFound } from './errors.ts';
import type { Page } from './items.ts';
import type { ListQuery } from './query.ts';

/** Pages in a row without a new item after which a list is at its end, whatever its links say. */
const maxStalePages = 2;

/** How often a list is read at most that gets shorter while it is read. */
const maxReadings = 3;

/**
 * Yields the items of all pages, each id once: items move between pages while a list is read.
 *
 * The API does not show how a list ends (API: "Pagination"). So any sign of more is followed (a next link, a count of
 * pages, or, where there is neither, the next number), and a list ends at the first of: no such sign, a page that does
 * not exist, pages that bring nothing new. Page numbers only grow, so that links in a circle end too.
 *
 * Where the CMS counts fewer items from one page to the next, somebody has deleted some, and others may have moved to a
 * page that was read already: the list is read again.
 *
 * @throws CmsError of the request that failed; never a list that is silently shorter.
 */
export async function* allItems<Item extends { id: number }>(
  readPage: (query: ListQuery) => Promise<Page<Item>>,
  first: ListQuery,
): AsyncGenerator<Item, void, undefined> {
  const known = new Set<number>();
  for (let readings = 1, shrank = true; shrank && readings <= maxReadings; readings += 1) {
    shrank = yield* readOnce(readPage, first, known);
  }
}

/** Yields the items that are not known yet, and returns whether the list got shorter meanwhile. */
async function* readOnce<Item extends { id: number }>(
  readPage: (query: ListQuery) => Promise<Page<Item>>,
  first: ListQuery,
  known: Set<number>,
): AsyncGenerator<Item, boolean, undefined> {
  const seen = new Set<number>();
  let last: Page<Item> | undefined;
  let step: PageStep | undefined = { page: first.page ?? 1, limit: first.limit };
  let stalePages = 0;
  let shrank = false;
  while (step && stalePages < maxStalePages) {
    const page: Page<Item> | undefined = await readPage({ ...first, ...step }).catch(endOfList(step.page, last));
    if (!page) break;
    const fresh = page.data.filter(({ id }) => !seen.has(id) && seen.add(id));
    yield* fresh.filter(({ id }) => !known.has(id) && known.add(id));
    shrank ||= isShorter(page, last);
    stalePages = fresh.length === 0 ? stalePages + 1 : 0;
    step = nextStep(page, step);
    last = page;
  }
  return shrank;
}

// Beyond the end of a list some count nothing at all.
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

// Without a count of pages, a list that links its pages but not a next one is at its end, and so is an empty page.
function saysItIsLast(page: Page<unknown>): boolean {
  const links = page.pagination?.links;
  return page.data.length === 0 || Boolean(links && !links.next);
}

// A CMS may give fewer items a page than asked for. The next page goes on where this one ended only if it is asked for
// in the size that this one really had.
function stepSize(page: Page<unknown>, linked: number | undefined): number | undefined {
  return [linked, page.pagination?.perPage].find((size) => size === page.data.length && size > 0) ?? undefined;
}

/** How many pages the CMS counts, if it does. */
export function pageCount(page: Page<unknown>): number | undefined {
  const { pagination } = page;
  if (typeof pagination?.totalPages === 'number') return pagination.totalPages;
  const items = total(page);
  return items !== undefined && pagination?.perPage ? Math.ceil(items / pagination.perPage) : undefined;
}

// Only the numbers are taken from a link, never where it leads: the token must not follow it.
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

// A page after the first that is refused is the end, but not where the page before it counted this one in and it is
// not gone: that is a list cut short.
function endOfList(page: number, last: Page<unknown> | undefined): (error: unknown) => undefined {
  return (error) => {
    const promised = last && (pageCount(last) ?? 0) >= page;
    const isEnd = isNotFound(error) || (error instanceof CmsError && error.code === 'FF_CMS_BAD_REQUEST' && !promised);
    if (!last || !isEnd) throw error;
  };
}
