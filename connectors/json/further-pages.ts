import { isUsualLimit } from '../../src/core/completeness.ts';
import type { Feed } from '../../src/core/feed.ts';
import { isUrl } from '../../src/core/paging/names.ts';
import type { PageFacts } from '../../src/core/paging/page-facts.ts';
import { limitParameter, numbersIn, offsetParameter, pageParameter } from '../../src/core/paging/parameters.ts';
import { formatPath } from './path.ts';

/**
 * Returns true if a list may be cut by the limit of a page. If the document declares nothing about pages, only a list from the
 * network may be.
 */
export function isFullPage(facts: PageFacts, items: number, { query }: Pick<Feed, 'query'>): boolean {
  const { total, pageCount, isLast, limit, page, offset } = facts;
  if (items === 0 || isLast || (total !== undefined && total <= items) || (pageCount ?? 2) <= 1) return false;
  if (limit !== undefined) return limit === items;
  if (numbersIn(query, limitParameter).some(({ value }) => value === items)) return true;
  const hasPages = query !== undefined || page !== undefined || offset !== undefined;
  return hasPages && isUsualLimit(items);
}

type Options = Record<string, string | number>;

/** Names of values that are addresses, even if they have no host or slash. */
const linkName = /(?:link|url|uri|href)$/i;

type PagedFeed = Pick<Feed, 'nextPage' | 'query' | 'sendsJson'>;

/** Returns the line of the sync file that reads the pages after the first; undefined if no line can do so for this feed. */
export function pagesLine(facts: PageFacts, feed: PagedFeed): string | undefined {
  const options = pagesOptions(facts, feed);
  if (options === undefined) return undefined;
  const members = Object.entries(options).map(([name, value]) => `${name}: ${formatScalar(value)}`);
  return `pages: { ${members.join(', ')} }`;
}

function pagesOptions(facts: PageFacts, feed: PagedFeed): Options | undefined {
  const options = optionsByValue(facts, feed);
  if (!options || !feed.sendsJson || options.by === 'link') return options;
  // The variables of a GraphQL query.
  const isGraphQL = /^data\..*pageInfo\./i.test(String(options.path));
  return { ...options, ...(isGraphQL && { parameter: 'variables.after' }), in: 'body' };
}

function optionsByValue({ next, page, offset }: PageFacts, { nextPage, query }: PagedFeed): Options | undefined {
  if (nextPage !== undefined) return { by: 'link' };
  const path = next?.keys && formatPath(next.keys).replace(/^\$\./, '');
  if (next && path && (isUrl(next.value) || linkName.test(String(next.keys?.at(-1))))) return { by: 'link', path };
  // Only an address has parameters.
  if (query === undefined) return undefined;
  if (next && path) return { by: 'cursor', path, parameter: parameterOf(next.keys?.at(-1), next.value) };
  const header = next?.header;
  if (next && header && !/^\d+$/.test(next.value))
    return { by: 'cursor', header, parameter: parameterOf(header, next.value) };
  const [inPages] = numbersIn(query, pageParameter);
  if (inPages) return byNumber(inPages.name, inPages.value);
  const [inItems] = numbersIn(query, offsetParameter);
  if (inItems || (offset && page === undefined)) return { by: 'offset', parameter: inItems?.name ?? offset ?? '' };
  return byNumber('page', page);
}

function byNumber(parameter: string, first = 1): Options {
  return { by: 'number', parameter, ...(first === 1 ? {} : { first }) };
}

/** Returns the usual parameter for a value that leads to the next page: `pageToken` for `nextPageToken`. */
function parameterOf(name: string | number | undefined, value: string): string {
  const rest = String(name).replace(/^(x-)?(ms-)?(end[_-]?(?=c)|next[_-]?)?/i, '');
  if (/^(cursor)?$/i.test(rest)) return /^\d+$/.test(value) ? 'page' : 'cursor';
  if (/^continuation[_-]?token$/i.test(rest)) return 'continuationToken';
  return rest.charAt(0).toLowerCase() + rest.slice(1);
}

function formatScalar(value: string | number): string {
  return typeof value === 'number' || /^[a-z$][\w$.-]*$/i.test(value) ? String(value) : JSON.stringify(value);
}
