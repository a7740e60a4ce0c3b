import type { ReadContext } from '../../src/core/connector.ts';
import type { Feed, FeedPage } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { isFullPage } from './further-pages.ts';
import type { PageOptions } from './options.ts';
import { createPageTrail, MAX_EMPTY, type PageTrail } from './page-trail.ts';
import { stepsOf } from './path.ts';
import { type DocumentShape, type DocumentSummary, readDocument } from './read-document.ts';

/**
 * Streams the items of all pages. A page that repeats an earlier one ends the read, and so does the limit of pages. The read is
 * then incomplete, unless all that the pages announce was read.
 * @throws CodedError FF_FEED_… if a page cannot be opened or does not have the shape
 */
export async function* readPages(
  first: Feed,
  shape: DocumentShape,
  pages: PageOptions,
  context: ReadContext,
): AsyncGenerator<SourceRecord> {
  const pageShape = 'path' in pages && pages.path ? { ...shape, wanted: stepsOf(pages.path) } : shape;
  const trail = createPageTrail(pages);
  const visited = new Set<string>();
  const firstRecords = new Set<string>();
  let { size = 1 } = 'size' in pages ? pages : {};
  let asked: string | undefined;
  let page = first;
  let isProbe = false;
  for (;;) {
    const number = trail.count() + 1;
    const { summary, isRepeated } = yield* readPage(
      page,
      number,
      firstRecords,
      { ...pageShape, acceptsNull: number > 1 },
      context,
    );
    // That page 1 is repeated does not show whether the server limits its length, or ignores the parameter.
    if (isRepeated) return isProbe ? undefined : end(false, `page ${number} repeats an earlier page`);
    if (summary === undefined) return;
    trail.add(summary, page);
    const isFull = isFullPage(summary.page, summary.items, page);
    // A server may send fewer items than `size` because of a limit of its own: the next page tells.
    isProbe = number === 1 && summary.items < size && isFull;
    if (isProbe) size = summary.items;
    const next = nextPage(pages, page, summary, { size, trail });
    const fullPage = isFull && number === 1 && (isProbe || (next === undefined && 'size' in pages));
    context.report({ ...trail.facts(false), fullPage });
    if (next === undefined) return;
    const shown = JSON.stringify(next);
    if (shown === asked && summary.items === 0 && !trail.insistsOnMore()) return end(true);
    if (!isNew(shown, visited)) return end(false, `page ${number + 1} repeats an earlier page`);
    if (trail.isStuck()) return end(trail.isAnnounced());
    if (number >= pages.max) return context.incomplete(`there are more than ${pages.max} pages (source.pages.max)`);
    const following = await page.follow(next, trail.isEnd);
    if (following === undefined) return end(true);
    if (following.withheldFrom !== undefined && page.withheldFrom === undefined) warnOfHost(following.withheldFrom);
    [page, asked] = [following, shown];
  }

  /** Ends the read although another page is announced. @param problem why the pages may not be all */
  function end(isAll: boolean, problem?: string): void {
    const isWhole = isAll || (problem !== undefined && trail.isAll());
    if (isWhole) context.report({ ...trail.facts(true), fullPage: false });
    else if (problem !== undefined) context.incomplete(problem);
    else context.report({ more: `the last ${MAX_EMPTY} pages are empty, but each leads to a next one` });
  }

  function warnOfHost(host: string): void {
    const message = `The page is on another host (${host}), which did not get the credentials, headers and query of source.`;
    context.warn({ at: `page ${trail.count() + 1}`, message });
  }
}

/** Streams the items of one page, unless it begins like an earlier one. */
async function* readPage(
  page: Feed,
  number: number,
  firstRecords: Set<string>,
  shape: DocumentShape,
  context: ReadContext,
): AsyncGenerator<SourceRecord, { summary?: DocumentSummary; isRepeated: boolean }> {
  const prefix = number === 1 ? '' : `page ${number}, `;
  let summary: DocumentSummary | undefined;
  let isFirstRecord = true;
  let isRepeated = false;
  const reject: ReadContext['reject'] = (rejection) => {
    if (!isRepeated) context.reject({ ...rejection, at: prefix + rejection.at });
  };
  const onEnd = (end: DocumentSummary) => {
    summary = end;
  };
  for await (const { at, fields } of readDocument(page, shape, { ...context, reject }, onEnd)) {
    if (isFirstRecord) isRepeated = !isNew(JSON.stringify(fields), firstRecords);
    isFirstRecord = false;
    // A repeated page is read to its end, so that its transfer is complete.
    if (!isRepeated) yield { at: prefix + at, fields };
  }
  return { summary, isRepeated };
}

/** Adds a value to a set. @returns whether the set did not have the value */
function isNew(value: string, values: Set<string>): boolean {
  return values.size < values.add(value).size;
}

function nextPage(
  pages: PageOptions,
  page: Feed,
  { items, value, page: facts }: DocumentSummary,
  { size, trail }: { size: number; trail: PageTrail },
): FeedPage | undefined {
  if (pages.by === 'link' && pages.path === undefined) return page.nextPage;
  if (pages.by === 'link' || pages.by === 'cursor') {
    const next = 'header' in pages && pages.header ? page.headers?.[pages.header.toLowerCase()] : value;
    if (facts.saysEnd || next === undefined || /^(|false|0|-1)$/.test(String(next))) return undefined;
    return pages.by === 'link' ? String(next) : pageBy(pages, String(next));
  }
  if (items === 0 || (items < Math.min(size, facts.limit ?? size) && !trail.announcesMore())) return undefined;
  const number = pages.by === 'number' ? pages.first + trail.count() : trail.items();
  return pageBy(pages, number);
}

function pageBy({ in: place, parameter }: Exclude<PageOptions, { by: 'link' }>, value: string | number): FeedPage {
  return place === 'body' ? { body: { [parameter]: value } } : { query: { [parameter]: String(value) } };
}
