import type { Feed } from '../../src/core/feed.ts';
import { type Envelope, isUrl, plainName } from './envelope.ts';
import { formatPath } from './path.ts';

const pageParameter = /^(page|p|pg|paged|pageno|pagenum|pagenumber|pageindex|currentpage)$/;
const offsetParameter = /^(offset|skip|start|startindex|startat|from|resultoffset|pageoffset)$/;
const limitParameter =
  /^(limit|perpage|pagesize|pp|top|rows|maxresults|maxrecords|resultrecordcount|pagelimit|size|count)$/;

/** Lengths at which servers cut lists by default. */
const usualLimits = [10, 20, 25, 50, 100, 200, 250, 500];

/**
 * Returns true if a list may be cut by the limit of a page. If the document declares nothing about pages, only a list from the
 * network may be.
 */
export function isFullPage(envelope: Envelope, items: number, { query }: Pick<Feed, 'query'>): boolean {
  const { total, pageCount, isLast, limit, page, offset } = envelope;
  if (items === 0 || isLast || (total !== undefined && total <= items) || (pageCount ?? 2) <= 1) return false;
  if (limit !== undefined) return limit === items;
  if (parameters(query, limitParameter).some(({ value }) => value === items)) return true;
  const hasPages = query !== undefined || page !== undefined || offset !== undefined;
  return hasPages && (usualLimits.includes(items) || items % 1000 === 0);
}

/** Returns the line of the sync file that reads the pages after the first; undefined if no line can do so for this feed. */
export function pagesLine(envelope: Envelope, feed: Pick<Feed, 'nextPage' | 'query'>): string | undefined {
  const options = pagesOptions(envelope, feed);
  if (options === undefined) return undefined;
  const members = Object.entries(options).map(([name, value]) => `${name}: ${formatScalar(value)}`);
  return `pages: { ${members.join(', ')} }`;
}

function pagesOptions(
  { next, page, offset }: Envelope,
  { nextPage, query }: Pick<Feed, 'nextPage' | 'query'>,
): Record<string, string | number> | undefined {
  if (nextPage !== undefined) return { by: 'link' };
  const path = next && formatPath(next.keys).replace(/^\$\./, '');
  if (next && path && isUrl(next.value)) return { by: 'link', path };
  // Only an address has parameters.
  if (query === undefined) return undefined;
  if (next && path) return { by: 'cursor', path, parameter: parameterOf(String(next.keys.at(-1)), next.value) };
  const [inPages] = parameters(query, pageParameter);
  if (inPages) return byNumber(inPages.name, inPages.value);
  const [inItems] = parameters(query, offsetParameter);
  if (inItems || (offset && page === undefined)) return { by: 'offset', parameter: inItems?.name ?? offset ?? '' };
  return byNumber('page', page);
}

function byNumber(parameter: string, first = 1): Record<string, string | number> {
  return { by: 'number', parameter, ...(first === 1 ? {} : { first }) };
}

/** Returns the usual parameter for a value that leads to the next page: `pageToken` for `nextPageToken`. */
function parameterOf(name: string, value: string): string {
  const rest = name.replace(/^next[_-]?/i, '');
  if (rest === '') return /^\d+$/.test(value) ? 'page' : 'cursor';
  return rest.charAt(0).toLowerCase() + rest.slice(1);
}

/** Parameters of an address with a number. */
function parameters(query: URLSearchParams | undefined, names: RegExp): Array<{ name: string; value: number }> {
  return [...(query ?? [])]
    .filter(([name, value]) => names.test(plainName(name)) && /^\d{1,9}$/.test(value))
    .map(([name, value]) => ({ name, value: Number(value) }));
}

function formatScalar(value: string | number): string {
  return typeof value === 'number' || /^[a-z$][\w$.-]*$/i.test(value) ? String(value) : JSON.stringify(value);
}
