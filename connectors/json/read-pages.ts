import type { ReadContext } from '../../src/core/connector.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { factsOf } from './envelope.ts';
import { isFullPage } from './further-pages.ts';
import type { PageOptions } from './options.ts';
import { stepsOf } from './path.ts';
import { type DocumentShape, type DocumentSummary, readDocument } from './read-document.ts';

/**
 * Streams the items of all pages. A repeated page, or more pages than the limit, ends the read and makes it incomplete.
 * @throws CodedError FF_FEED_… if a page cannot be opened or does not have the shape
 */
export async function* readPages(
  first: Feed,
  shape: DocumentShape,
  pages: PageOptions,
  context: ReadContext,
): AsyncGenerator<SourceRecord> {
  const pageShape = 'path' in pages && pages.path ? { ...shape, wanted: stepsOf(pages.path) } : shape;
  const visited = new Set<string>();
  const firstRecords = new Set<string>();
  const totals: number[] = [];
  let page = first;
  for (let count = 1, itemsBefore = 0; ; count += 1) {
    let summary: DocumentSummary | undefined;
    let isFirstRecord = true;
    const onEnd = (end: DocumentSummary) => {
      summary = end;
    };
    const prefix = count === 1 ? '' : `page ${count}, `;
    const reject: ReadContext['reject'] = (rejection) => context.reject({ ...rejection, at: prefix + rejection.at });
    for await (const { at, fields } of readDocument(page, pageShape, { ...context, reject }, onEnd)) {
      if (isFirstRecord && !isNew(JSON.stringify(fields), firstRecords)) return reportRepeated(count, context);
      isFirstRecord = false;
      yield { at: prefix + at, fields };
    }
    if (summary === undefined) return;
    itemsBefore += summary.items;
    if (summary.envelope.total !== undefined) totals.push(summary.envelope.total);
    const next = nextPage(pages, page, summary, { count, itemsBefore });
    // A server may send fewer items than `size` because of a limit of its own.
    const isOnly = count === 1 && next === undefined && (pages.by === 'number' || pages.by === 'offset');
    const fullPage = isOnly && isFullPage(summary.envelope, summary.items, page);
    const facts = factsOf(summary.envelope, itemsBefore, count);
    context.report({ ...facts, ...(totals.length > 0 && { totals }), fullPage });
    if (next === undefined) return;
    if (!isNew(JSON.stringify(next), visited)) return reportRepeated(count + 1, context);
    if (count >= pages.max) return context.incomplete(`there are more than ${pages.max} pages (source.pages.max)`);
    page = await page.follow(next);
  }
}

/** Adds a value to a set. @returns whether the set did not have the value */
function isNew(value: string, values: Set<string>): boolean {
  return values.size < values.add(value).size;
}

function reportRepeated(page: number, context: ReadContext): void {
  context.incomplete(`page ${page} repeats an earlier page`);
}

function nextPage(
  pages: PageOptions,
  page: Feed,
  { items, value }: DocumentSummary,
  read: { count: number; itemsBefore: number },
): Parameters<Feed['follow']>[0] | undefined {
  const next = value === undefined || value === false || value === '' ? undefined : String(value);
  if (pages.by === 'link') return pages.path === undefined ? page.nextPage : next;
  if (pages.by === 'cursor') return next === undefined ? undefined : { query: { [pages.parameter]: next } };
  if (items < (pages.size ?? 1)) return undefined;
  const number = pages.by === 'number' ? pages.first + read.count : read.itemsBefore;
  return { query: { [pages.parameter]: String(number) } };
}
