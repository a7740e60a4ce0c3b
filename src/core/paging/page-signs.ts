import { booleanOf, countOf, describeValue, describing, isUrl, pageObject, plainName, type Scalar } from './names.ts';
import type { Findings, NamedValue } from './page-facts.ts';

/** One kind of sign. */
interface PageSign {
  /** The names of the value, in the body or in a header. Case and punctuation do not matter: `next_link` is `nextLink`. */
  names: string;
  note(found: Findings, value: NamedValue & { number?: number }): void;
}

/** How an answer says whether more follows: one row for each kind of sign, in the body or in a header. */
const pageSigns = {
  next: {
    names:
      'next nextUrl nextUri nextPage nextLink nextPageUrl nextPageLink nextHref nextPath nextRestUrl nextRecordsUrl nextPageToken nextToken nextCursor nextOffset nextStart nextStartIndex nextPageStart nextPageNumber nextMarker nextKey @odata.nextLink odata.nextLink __next hydra:next continue continuation continuationToken continuationNextPartitionKey lastEvaluatedKey afterUrl',
    note: (found, named) => {
      const { value } = named;
      if (isLead(value)) found.next ??= leadOf(named);
      else if (value === true) found.saysMore ??= textOf(named);
      else found.leadsNowhere = true;
    },
  },
  cursor: {
    names: 'cursor after pageToken',
    note: (found, named) => {
      if (!isLead(named.value)) found.leadsNowhere = true;
      else if (!isQuoted(named)) {
        found.position ??= leadOf(named);
        found.positionSaysMore = true;
      }
    },
  },
  position: {
    names: 'endCursor afterCursor',
    note: (found, named) => {
      if (isLead(named.value)) found.position ??= leadOf(named);
    },
  },
  more: {
    names:
      'hasMore hasMoreItems hasMorePages more moreItems moreResults moreAvailable hasNext hasNextPage morePages moreRecords hasAdditionalResults',
    note: (found, named) => say(found, named, booleanOf(named.value)),
  },
  remaining: {
    names: 'remainingItemCount remainingItems remainingCount itemsRemaining',
    note: (found, named) => say(found, named, named.number === undefined ? undefined : named.number > 0),
  },
  last: {
    names: 'last isLast isLastPage lastPage endOfStream endOfResults endOfList isEnd',
    note: (found, named) => {
      const isLast = booleanOf(named.value);
      say(found, named, isLast === undefined ? undefined : !isLast);
      if (isUrl(named.value)) found.leadsNowhere = true;
      // Laravel has `last_page: 3`.
      else if (plainName(named.keys.at(-1) ?? '') === 'lastpage') found.facts.pageCount ??= named.number;
    },
  },
  done: {
    names: 'done isDone complete isComplete finished allReturned exhaustive exhaustiveNbHits',
    note: (found, named) => {
      const isDone = booleanOf(named.value);
      if (isDone === false) found.saysMore ??= textOf(named);
      else if (isDone) found.leadsNowhere = true;
    },
  },
  part: {
    names:
      'truncated isTruncated resultTruncated partial isPartial partialResults incomplete isIncomplete incompleteResults limitExceeded limitReached resultLimitExceeded exceededTransferLimit maxResultsReached',
    note: (found, named) => {
      if (booleanOf(named.value)) found.saysMore ??= textOf(named);
    },
  },
  earlier: {
    names: 'first prev previous prevPage previousPage prevLink',
    note: (found, { value }) => {
      if (isUrl(value)) found.leadsNowhere = true;
    },
  },
  total: {
    names:
      'total totalCount totalItems totalResults totalRecords totalRecordCount totalElements totalEntries totalObjects totalHits totalSize totalRows totalMatches totalFound totalAvailable totalNumber totalNumberOfItems itemsTotal resultsTotal recordsTotal grandTotal numFound nbHits nHits numberMatched numberOfItems @odata.count odata.count hydra:totalItems openSearch:totalResults',
    note: ({ facts }, named) => {
      if (facts.total === undefined && named.number !== undefined) {
        facts.total = named.number;
        facts.totalAt = textOf(named);
      }
    },
  },
  count: {
    names: 'count objectCount resultCount itemCount rowCount numResults',
    note: ({ facts }, named) => {
      if (facts.count === undefined && named.number !== undefined) {
        facts.count = named.number;
        facts.totalAt ??= textOf(named);
      }
    },
  },
  pageCount: {
    names: 'pages totalPages pageCount pagesCount numPages nbPages numberOfPages maxPage',
    note: ({ facts }, { number }) => {
      facts.pageCount ??= number;
    },
  },
  page: {
    names: 'page currentPage pageNumber pageNo pageIndex',
    note: ({ facts }, { number }) => {
      facts.page ??= number;
    },
  },
  offset: {
    names: 'offset skip start startIndex startAt',
    note: (found, named) => {
      const key = String(named.keys.at(-1));
      if (named.number !== undefined) found.facts.offset ??= key;
      else if (plainName(key) === 'offset' && typeof named.value === 'string' && isLead(named.value))
        found.next ??= leadOf(named);
    },
  },
  limit: {
    names:
      'limit perPage pageSize itemsPerPage hitsPerPage pageLen pageLength pageLimit resultsPerPage openSearch:itemsPerPage',
    note: ({ facts }, { number }) => {
      facts.limit ??= number;
    },
  },
} satisfies Record<string, PageSign>;

type Sign = keyof typeof pageSigns;

const signByName = new Map<string, Sign>(
  Object.entries(pageSigns).flatMap(([sign, { names }]) =>
    names.split(' ').map((name) => [plainName(name), sign as Sign] as const),
  ),
);

/** Values of objects that are no page: shards, facets, limits on requests. */
const otherData = /^(shards|facets?|facetcounts|aggregations|aggs|ratelimit|ratelimits|quota|usage)$/;

/** Members of the object that leads to the next page: `_links.next.href`, `paging.next.after`. */
const inNext = /^(href|url|uri|link|value|token|cursor|after|startingafter|page|pagenumber|offset|start)$/;

/** Objects whose members lead to the next page, whatever their names. */
const positions = /^(lastevaluatedkey|continue|searchnextpageparameters|nextpage)$/;

/** Names deeper inside other data have no meaning. */
const MAX_DEPTH = 4;

/** Adds what a value beside the items says about the page. */
export function noteValue(found: Findings, named: NamedValue): void {
  const { keys, value } = named;
  if (keys.length > 2 * MAX_DEPTH) return;
  const [name = '', parent = '', ...others] = [
    ...keys.slice(0, -1).map(plainName),
    nameOf(keys.at(-1) ?? ''),
  ].reverse();
  if (keys.length > MAX_DEPTH && !pageObject.test(parent)) return;
  // A list of links: `{ "rel": "next", "href": … }`.
  if ((name === 'rel' || name === 'relation') && value === 'next') found.saysMore ??= textOf(named);
  if (keys.some((one) => typeof one === 'number')) return;
  if (otherData.test(parent) || others.some((one) => otherData.test(one))) return;
  if (value && others.concat(parent).some((one) => positions.test(one))) found.saysMore ??= textOf(named);
  const sign = signOf(name, parent, others[0] ?? '');
  if (sign) pageSigns[sign].note(found, { ...named, number: countOf(value) });
}

/** Dynamics has `@Microsoft.Dynamics.CRM.morerecords`. */
function nameOf(key: string | number): string {
  const name = plainName(key);
  return signByName.has(name) ? name : plainName(String(key).split(/[.:@]/).at(-1) ?? '');
}

function signOf(name: string, parent: string, grandparent: string): Sign | undefined {
  const ofParent = signByName.get(parent);
  if (ofParent === 'next' && inNext.test(name)) return 'next';
  // Elasticsearch has `hits.total.value`, HAL `_links.last.href`.
  if (ofParent && /^(href|url|uri|value)$/.test(name)) return signOf(parent, grandparent, '');
  const isBeside = parent === '' || describing.test(parent) || pageObject.test(parent);
  const sign = pageObject.test(parent) ? signInPage(name, parent) : signByName.get(name);
  if ((sign === 'count' || sign === 'cursor') && !isBeside) return undefined;
  // Facebook sends `paging.cursors.after` on the last page, too.
  return sign === 'cursor' && parent === 'cursors' ? undefined : sign;
}

function signInPage(name: string, parent: string): Sign | undefined {
  if (name === 'number' || name === 'current') return 'page';
  // Some documents count pages with `page.total`, some count items.
  if (name === 'total' && parent === 'page') return 'count';
  return name === 'size' ? 'limit' : signByName.get(name);
}

function say(found: Findings, named: NamedValue, more: boolean | undefined): void {
  if (more) found.saysMore ??= textOf(named);
  else if (more === false) found.saysEnd = true;
}

/** Whether a value leads to a next page: a text or a number; 0 and -1 mean that there is none. */
function isLead(value: Scalar): value is string | number {
  if (typeof value === 'string') return !/^(-1|0|false|null|none)?$/i.test(value.trim());
  return typeof value === 'number' && value > 0;
}

/** Whether the cursor is in an object that repeats the request. */
function isQuoted({ keys }: NamedValue): boolean {
  return keys.slice(0, -1).some((key) => /^(query|request|params|parameters)$/.test(plainName(key)));
}

function leadOf(named: NamedValue) {
  const { keys, header, label, value } = named;
  const source = header === undefined ? label === undefined && { keys } : { header };
  return { ...source, value: String(value), shown: textOf(named) };
}

function textOf({ keys, label, value }: NamedValue): string {
  return describeValue(label === undefined ? keys : [label], value);
}
