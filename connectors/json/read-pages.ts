import { z } from 'zod';
import type { ReadContext } from '../../src/core/connector.ts';
import type { Feed } from '../../src/core/feed.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import { pathSchema, stepsOf } from './path-option.ts';
import { type DocumentShape, type DocumentSummary, readDocument } from './read-document.ts';

const NEXT = 'the next page';

const limits = {
  /** Pages read at most; where there are more, nothing counts as missing. */
  max: z.int().positive().default(1000),
};

const counted = {
  /** The query parameter that says which page. */
  parameter: z.string().min(1),
  /** Items on a full page: one with fewer is the last. Default: an empty one is. */
  size: z.int().positive().optional(),
};

/** How a feed is divided into pages. */
export const pagesSchema = z.discriminatedUnion('by', [
  /** By the address of the next page: at `path` in the document, else in the Link header (RFC 8288). */
  z.strictObject({ by: z.literal('link'), path: pathSchema.optional(), ...limits }),
  /** By a token at `path` in the document, to be sent as a query parameter. */
  z.strictObject({ by: z.literal('cursor'), path: pathSchema, parameter: z.string().min(1), ...limits }),
  /** By the number of the page; the first one is read as `source.url` names it. */
  z.strictObject({ by: z.literal('number'), ...counted, first: z.int().nonnegative().default(1), ...limits }),
  /** By the number of items before it. */
  z.strictObject({ by: z.literal('offset'), ...counted, ...limits }),
]);

type Pages = z.infer<typeof pagesSchema>;

type NextPage = Parameters<Feed['follow']>[0];

/**
 * Streams the items of all pages. Pages that go in a circle, or beyond the limit, end the reading and make it incomplete.
 * @throws CodedError FF_FEED_… where a page cannot be opened or is not what it should be.
 */
export async function* readPages(
  first: Feed,
  shape: DocumentShape,
  pages: Pages,
  context: ReadContext,
): AsyncGenerator<SourceRecord> {
  const pageShape = 'path' in pages && pages.path ? { ...shape, wanted: { [NEXT]: stepsOf(pages.path) } } : shape;
  const visited = new Set<string>();
  const beginnings = new Set<string>();
  let page = first;
  for (let count = 1, itemsBefore = 0; ; count += 1) {
    let summary: DocumentSummary | undefined;
    let isFirstRecord = true;
    const onEnd = (end: DocumentSummary) => {
      summary = end;
    };
    const placed = count === 1 ? (place: string) => place : (place: string) => `page ${count}, ${place}`;
    const reject: ReadContext['reject'] = (rejection) => context.reject({ ...rejection, at: placed(rejection.at) });
    for await (const { at, fields } of readDocument(page, pageShape, { ...context, reject }, onEnd)) {
      if (isFirstRecord && !isNew(JSON.stringify(fields), beginnings)) return repeats(count, context);
      isFirstRecord = false;
      yield { at: placed(at), fields };
    }
    if (summary === undefined) return;
    itemsBefore += summary.items;
    const next = nextPage(pages, page, summary, { count, itemsBefore });
    if (next === undefined) return;
    if (!isNew(JSON.stringify(next), visited)) return repeats(count + 1, context);
    if (count >= pages.max) return context.incomplete(`there are more than ${pages.max} pages (source.pages.max)`);
    page = await page.follow(next);
  }
}

/** Adds a value. @returns whether it was not among them. */
function isNew(value: string, values: Set<string>): boolean {
  return values.size < values.add(value).size;
}

/** What repeats was read before and is not given again. */
function repeats(page: number, context: ReadContext): void {
  context.incomplete(`page ${page} repeats an earlier one: the pages go in a circle`);
}

function nextPage(
  pages: Pages,
  page: Feed,
  { items, values }: DocumentSummary,
  read: { count: number; itemsBefore: number },
): NextPage | undefined {
  const value = values.get(NEXT);
  const told = value === undefined || value === false || value === '' ? undefined : String(value);
  if (pages.by === 'link') return pages.path === undefined ? page.nextPage : told;
  if (pages.by === 'cursor') return told === undefined ? undefined : { query: { [pages.parameter]: told } };
  if (items < (pages.size ?? 1)) return undefined;
  const number = pages.by === 'number' ? pages.first + read.count : read.itemsBefore;
  return { query: { [pages.parameter]: String(number) } };
}
