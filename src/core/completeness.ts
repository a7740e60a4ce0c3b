import type { FeedReceipt } from './feed.ts';
import { parseContentRange } from './paging/content-range.ts';
import type { DocumentFacts, FeedFacts, PartFacts, RecordFacts } from './source-reading.ts';

/** A sign that a feed may not have been read whole. Connectors and feeds report the facts; only this module judges them. */
interface SignOf<Facts> {
  /** The meaning of the sign, as docs/missing.md lists it. */
  proves: string;
  /** Returns the finding, for people; undefined: the sign was not found. */
  find(facts: Facts): string | undefined;
}

/** Signs that a feed was not read whole. The run is then partial, and nothing counts as missing. */
export const feedSigns = {
  opening: {
    proves: 'A page or file could not be opened.',
    find: ({ failure, parts }) => failure ?? (parts?.length === 0 ? 'it was not read' : undefined),
  },
  transfer: {
    proves: 'The transfer broke off, or a file changed while it was read.',
    find: ({ parts }) =>
      problemIn(parts, ({ brokeOff, ended }) => brokeOff ?? (ended ? undefined : 'it was not read to the end')),
  },
  part: {
    proves: 'The response declares itself a part, by its status or a Content-Range header.',
    find: ({ parts }) =>
      problemIn(parts, ({ status = 200, contentRange }) => {
        const range = contentRange === undefined ? undefined : parseContentRange(contentRange);
        if (
          range &&
          (range.total === undefined ? status === 200 : [200, 206].includes(status)) &&
          range.unit !== 'bytes'
        )
          return undefined;
        if (status !== 200) return `status ${status} instead of 200`;
        return contentRange && `the response is a part (Content-Range: ${contentRange.slice(0, 60)})`;
      }),
  },
  unframed: {
    proves:
      'Lines (CSV, JSON lines) came over a connection without a length or chunks, so a broken connection looks like the end.',
    find: ({ parts, documents = [] }) => {
      if (!documents.some(({ endsItself }) => endsItself !== true)) return undefined;
      return problemIn(parts, ({ isFramed = true }) =>
        isFramed ? undefined : 'the response has no length and no chunks',
      );
    },
  },
  gap: {
    proves:
      'The connector could not read a part of it, such as an unclosed quote, an event without its end, a page that repeats, or more pages than allowed.',
    find: ({ gaps }) => gaps?.[0],
  },
  error: {
    proves:
      'The response reports an error beside its data: `errors`, `status: fail`, `success: false`, `timed_out: true`, or a record that is only an error message.',
    find: ({ documents }) =>
      documents?.map(({ error }) => error && `the response reports an error (${error})`).find((text) => text),
  },
  total: {
    proves: 'The feed declares more items or pages than it has, or another total on another page.',
    find: ({ documents }) => problemOfPages(documents, totalProblem),
  },
  more: {
    proves: 'The last page announces more: `truncated: true`, `hasMore: true`, a link to a next page.',
    find: ({ documents }) => problemOfPages(documents, ({ more }) => more && `it announces more items (${more})`),
  },
  fullPage: {
    proves:
      'The JSON list is exactly as long as a page: the limit that it names, or a usual one (10, 20, 25, 50, 100, 200, 250, 500, thousands). Or a list or table lacks published records of the last whole reading and ends at a number at which exports are cut (also 50, 150, 2,048, 65,536).',
    find: ({ documents, ...facts }) =>
      problemOfPages(documents, ({ fullPage, items }) =>
        fullPage ? `it has exactly ${items} items, ${cutThere}` : undefined,
      ) ?? cutProblem(facts),
  },
  lineEnd: {
    proves: 'The last line has no line end, unlike in the last whole reading, and its record has changed.',
    find: ({ receipt, earlier, hasLastChanged }) =>
      hasLastChanged && earlier?.lastLineEnded && receipt?.lastLineEnded === false
        ? 'its last line has no line end, as if it was cut off there'
        : undefined,
  },
  files: {
    proves: 'The pattern matches fewer files than in the last whole reading.',
    find: ({ receipt, earlier }) => {
      const [found = 1, expected = 1] = [receipt?.files, earlier?.files];
      return found < expected ? `the pattern matches ${found} files instead of ${expected}` : undefined;
    },
  },
  stale: {
    proves: 'A cache sent an older version (Age, Last-Modified) than the last whole reading had.',
    find: ({ receipt, earlier }) => {
      if (!receipt?.age || !(time(receipt) < time(earlier))) return undefined;
      return `a cache sent an older version (Last-Modified: ${receipt.lastModified})`;
    },
  },
  empty: {
    proves: 'The feed has no records, although some were delivered before.',
    find: ({ deliveredBefore }) =>
      deliveredBefore ? `the feed has no records, but ${deliveredBefore} were delivered before` : undefined,
  },
} satisfies Record<string, SignOf<FeedFacts>>;

/** Signs in the records of a feed that was read whole: then no record counts as missing, either. */
export const recordSigns = {
  unnamed: {
    proves: 'A record without a readable key was rejected. It could be any record.',
    find: ({ unnamed }) => (unnamed > 0 ? `${unnamed} rejected records have no readable key` : undefined),
  },
  lastRejected: {
    proves: 'The last row was rejected: it may be an error message of the source.',
    find: ({ receipt }) => receipt.lastRejected && `the last row was rejected (${receipt.lastRejected})`,
  },
  allRejected: {
    proves: 'All records were rejected.',
    find: ({ read, rejected }) => (read > 0 && rejected >= read ? 'all records were rejected' : undefined),
  },
  moved: {
    proves: 'Records on several pages share a key: they moved between pages while these were read.',
    find: ({ duplicates, receipt }) =>
      duplicates > 0 && receipt.isPaged ? `${duplicates} records on its pages share their keys` : undefined,
  },
} satisfies Record<string, SignOf<RecordFacts>>;

export type Sign = keyof typeof feedSigns | keyof typeof recordSigns;

/** The names of all signs. */
export const signNames = [...Object.keys(feedSigns), ...Object.keys(recordSigns)] as [Sign, ...Sign[]];

/** Returns why a feed was not read whole; undefined: no sign was found, except those to ignore. */
export function incompleteReason(facts: FeedFacts, ignored: readonly Sign[] = []): string | undefined {
  return findSign(feedSigns, facts, ignored);
}

/** Returns why a feed that was read whole does not prove that records are missing; undefined: it proves this. */
export function unprovenReason(facts: RecordFacts, ignored: readonly Sign[] = []): string | undefined {
  return findSign(recordSigns, facts, ignored);
}

function findSign<Facts>(signs: Record<string, SignOf<Facts>>, facts: Facts, ignored: readonly string[]) {
  for (const [name, { find }] of Object.entries(signs)) {
    const reason = ignored.includes(name) ? undefined : find(facts);
    if (reason) return reason;
  }
  return undefined;
}

/** The first problem of some parts, with the location of the part if there are several. */
function problemIn(
  parts: readonly PartFacts[] = [],
  problemOf: (part: PartFacts) => string | undefined,
): string | undefined {
  for (const part of parts) {
    const problem = problemOf(part);
    if (problem) return parts.length === 1 ? problem : `${part.location}: ${problem}`;
  }
  return undefined;
}

/** The first problem of some documents, with the line that reads their other pages. */
function problemOfPages(
  documents: readonly DocumentFacts[] = [],
  problemOf: (document: DocumentFacts) => string | undefined,
): string | undefined {
  for (const document of documents) {
    const problem = problemOf(document);
    const { pagesLine } = document;
    if (problem)
      return pagesLine === undefined ? problem : `${problem}. To read all pages, add under source: ${pagesLine}`;
  }
  return undefined;
}

const cutThere = 'as if a limit had cut it there (if it is complete: ignoreSigns: [fullPage])';

/** Lengths at which servers cut lists by default. */
const usualLimits = [10, 20, 25, 50, 100, 200, 250, 500];

/** Whether a server may have cut a list at this length. */
export function isUsualLimit(items: number): boolean {
  return usualLimits.includes(items) || items % 1000 === 0;
}

/** Whether a program may have cut a table at this length: at a round number of rows or lines, or where a counter or sheet ends. */
function isCutLength(rows: number): boolean {
  const isPower = (count: number) => count >= 256 && Number.isInteger(Math.log2(count));
  const isLines = (count: number) => count >= 1000 && count % 500 === 0;
  return isUsualLimit(rows) || rows % 50 === 0 || [rows, rows + 1].some((count) => isPower(count) || isLines(count));
}

/** A single record that is missing is a removal, rather than what a limit has cut off. */
const FEWEST_LOST = 2;

function cutProblem({ receipt, earlier, lost = 0 }: FeedFacts): string | undefined {
  if (lost < FEWEST_LOST) return undefined;
  const cut = receipt?.rows?.findIndex((rows, index) => {
    return rows !== null && rows > 0 && rows < (earlier?.rows?.[index] ?? 0) && isCutLength(rows);
  });
  if (cut === undefined || cut === -1) return undefined;
  return `it has exactly ${receipt?.rows?.[cut]} rows instead of ${earlier?.rows?.[cut]}, ${cutThere}`;
}

/** Whether a file has fewer rows than in an earlier reading. */
export function hasFewerRows({ rows = [] }: FeedReceipt, earlier: FeedReceipt | undefined): boolean {
  return rows.some((count, index) => count !== null && count < (earlier?.rows?.[index] ?? 0));
}

function totalProblem({ items = 0, totals = [], totalAt, pages }: DocumentFacts): string | undefined {
  const most = Math.max(...totals);
  if (totals.some((total) => total !== most)) return 'its pages declare different totals: records moved between them';
  const place = totalAt === undefined ? '' : ` (${totalAt})`;
  if (most > items) return `it declares ${most} items, but has ${items}${place}`;
  if (pages && pages.declared > pages.read) return `it declares ${pages.declared} pages, but ${pages.read} were read`;
  return undefined;
}

/** Time of the last change in ms; NaN if unknown, which is neither older nor newer. */
function time(receipt: FeedReceipt | undefined): number {
  return Date.parse(receipt?.lastModified ?? '');
}
