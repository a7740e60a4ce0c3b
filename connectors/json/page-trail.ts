import type { Feed, PageRefusal } from '../../src/core/feed.ts';
import type { DocumentFacts } from '../../src/core/source-reading.ts';
import { factsOf } from './envelope.ts';
import { isFullPage } from './further-pages.ts';
import type { PageOptions } from './options.ts';
import type { DocumentSummary } from './read-document.ts';

/** So many empty pages in a row end a feed, although each leads to a next one. */
export const MAX_EMPTY = 10;

/** Refusals of a page beyond the last. Servers also send these to pages within the feed. */
const noSuchPage =
  /invalid_page_number|\bout of (?:range|bounds)\b|\bno (?:such|more) (?:pages?|results|items|records|data)\b|\binvalid page\b|\bpage (?:number )?(?:requested )?(?:is larger|is greater|is too (?:large|high|big)|exceeds|not found|does not exist|doesn't exist|is invalid|is empty)\b|\bbeyond the last\b|\bempty page\b/i;

export type PageTrail = ReturnType<typeof createPageTrail>;

/** Follows the pages of a feed, and decides whether they were all: many servers do not mark the last page well. */
export function createPageTrail({ by }: Pick<PageOptions, 'by'>) {
  const declared: Array<{ total: number; items: number; before: number }> = [];
  const isNumbered = by === 'number' || by === 'offset';
  let count = 0;
  let items = 0;
  let emptyInRow = 0;
  /** Number of items of the first page, and of the last one that has any. */
  const sizes = { first: 0, last: 0 };
  let last: DocumentSummary | undefined;
  let isLastFull = false;

  return {
    add,
    facts,
    isAll,
    isAnnounced,
    isEnd,
    insistsOnMore,
    /** The number of pages read. */
    count: () => count,
    /** The number of items read. */
    items: () => items,
    /** Whether so many pages were empty that the next ones will be, too. */
    isStuck: () => emptyInRow >= MAX_EMPTY,
    announcesMore: () => last !== undefined && (last.page.more !== undefined || (missing() ?? 0) > 0),
  };

  /** Adds a page that was read. */
  function add(summary: DocumentSummary, feed: Pick<Feed, 'query'>): void {
    const { page } = summary;
    // Beyond the end, some servers count no items.
    if (page.total !== undefined && (summary.items > 0 || count === 0))
      declared.push({ total: page.total, items: summary.items, before: items });
    count += 1;
    items += summary.items;
    emptyInRow = summary.items === 0 ? emptyInRow + 1 : 0;
    if (count === 1) sizes.first = summary.items;
    if (summary.items > 0) sizes.last = summary.items;
    last = summary;
    isLastFull = isFullPage(page, summary.items, feed);
  }

  /** Returns the facts about the pages read. @param isEnded whether nothing follows, whatever the last page announces */
  function facts(isEnded: boolean): DocumentFacts {
    if (last === undefined) return {};
    const { page } = last;
    const isPastEnd = last.items === 0 && isNumbered && page.isMoreByNext;
    const totals = totalsOf(declared);
    return {
      ...factsOf(page, items, count),
      ...(declared.length > 0 && { totals }),
      ...((isEnded || isPastEnd) && { more: undefined }),
    };
  }

  /**
   * Returns whether the pages read are all, if the next one repeats one of them, or is refused: if they have as many items or
   * pages as announced, or if the last one is shorter than the first.
   */
  function isAll(): boolean {
    if (isAnnounced()) return true;
    if (insistsOnMore()) return false;
    const isShort = sizes.last < sizes.first;
    const isSingle = by === 'link' && count === 1 && !isLastFull;
    return (missing() ?? 0) === 0 && (last?.page.isLast === true || isShort || isSingle);
  }

  /** Whether as many items or pages were read as the last page announces. */
  function isAnnounced(): boolean {
    if (last === undefined || insistsOnMore()) return false;
    const { total, pageCount } = last.page;
    return total === items || (pageCount !== undefined && count >= pageCount && (total ?? 0) <= items);
  }

  /** Whether the last page says plainly that more follows: `hasMore: true`. */
  function insistsOnMore(): boolean {
    return last?.page.isMoreByNext === false;
  }

  /** The number of items, or else of pages, that the last page announces and that were not read. */
  function missing(): number | undefined {
    if (last === undefined) return undefined;
    const { total, pageCount } = last.page;
    return total !== undefined && total > items ? total - items : pageCount && Math.max(0, pageCount - count);
  }

  /** Returns whether the refusal of the next page means that there is none. */
  function isEnd({ status, excerpt }: PageRefusal): boolean {
    const isGone = [404, 410, 416].includes(status);
    if (!isGone && status !== 400 && status !== 422) return false;
    // An address or a token of the server itself must lead somewhere.
    if (!isNumbered) return isAnnounced();
    return (missing() ?? 0) === 0 && (isGone || isAll() || noSuchPage.test(excerpt));
  }
}

/** Returns the declared numbers of all items: pages may count all items, those from themselves on, or only their own. */
function totalsOf(declared: ReadonlyArray<{ total: number; items: number; before: number }>): number[] {
  const readings = [
    declared.map(({ total }) => total),
    declared.map(({ total, before }) => total + before),
    declared.map(({ total, before, items }) => total + before + items),
  ];
  const steady = readings.find((totals) => new Set(totals).size === 1);
  if (steady) return steady.slice(0, 1);
  return declared.every(({ total, items }) => total === items) ? [] : declared.map(({ total }) => total);
}
