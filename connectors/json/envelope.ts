import type { DocumentFacts } from '../../src/core/source-reading.ts';
import type { Keys } from './path.ts';

type Scalar = string | number | boolean | null | undefined;

/** The meanings of names, which are in lower case and without punctuation. */
const meanings = new Map(
  Object.entries({
    total:
      'total totalcount totalitems totalresults totalrecords totalelements totalhits totalsize recordstotal numfound nhits numbermatched odatacount hydratotalitems opensearchtotalresults',
    count: 'count objectcount resultcount itemcount',
    pageCount: 'pages totalpages pagecount numpages numberofpages lastpage maxpage',
    part: 'truncated istruncated partial incomplete incompleteresults exceededtransferlimit',
    more: 'hasmore hasmoreitems more moreresults moreavailable hasnext hasnextpage morepages',
    last: 'last islast islastpage done',
    earlier: 'first prev previous',
    next: 'next nexturl nexturi nextpage nextlink nextpageurl nextpagelink nexthref nextresturl nextrecordsurl nextpagetoken nexttoken nextcursor nextoffset nextstart nextpagestart odatanextlink hydranext continuationtoken',
    page: 'page currentpage pagenumber pageno pageindex',
    offset: 'offset skip start startindex startat',
    limit: 'limit perpage pagesize itemsperpage pagelen pagelength resultsperpage opensearchitemsperpage',
  }).flatMap(([meaning, names]) => names.split(' ').map((name) => [name, meaning] as const)),
);

const pageObject = /^(page|pager|pages|paging|pagination|pageinfo)$/;
const describing = /^(meta|metadata|info|header|summary|data|result|results|response|list)$/;

/** What a page of JSON declares about itself, beside its items. */
export interface Envelope {
  /** The declared number of items, on all pages. */
  total?: number;
  /** A declared number of items, either on all pages or on this one. */
  count?: number;
  pageCount?: number;
  /** The announcement of more items, as written in the page: `hasMore: true`. */
  more?: string;
  /** The value that leads to the next page. */
  next?: { keys: Keys; value: string };
  /** The number of this page. */
  page?: number;
  /** The name of the number of items before this page. */
  offset?: string;
  /** Number of items on a full page. */
  limit?: number;
  /** Whether the page declares that no page follows. */
  isLast?: boolean;
}

/** Adds a value beside the items to the facts about the page. Names deep inside other data have no meaning. */
export function addToEnvelope(envelope: Envelope, keys: Keys, value: Scalar): void {
  const key = keys.at(-1);
  const announce = () => {
    envelope.more ??= `${keys.join('.')}: ${String(value).slice(0, 100)}`;
  };
  if (keys.length > 4) return;
  // A list of links: `{ "rel": "next", "href": … }`.
  if (key === 'rel' && value === 'next') announce();
  if (keys.some((one) => typeof one === 'number')) return;
  const names = keys.map(plainName);
  // HAL has `_links.next.href`, Elasticsearch `hits.total.value`.
  if (/^(href|url|uri|value)$/.test(names.at(-1) ?? '') && meanings.has(names.at(-2) ?? '')) names.pop();
  const [name = '', parent = ''] = names.reverse();
  const isTrue = value === true;
  const number = countOf(value);
  switch (pageObject.test(parent) ? meaningInPage(name, parent) : meanings.get(name)) {
    case 'total':
      envelope.total ??= number;
      break;
    case 'count':
      if (parent === '' || describing.test(parent) || pageObject.test(parent)) envelope.count ??= number;
      break;
    case 'pageCount':
      envelope.pageCount ??= number;
      if (isTrue) envelope.isLast = true;
      break;
    case 'part':
      if (isTrue) announce();
      break;
    case 'more':
      if (isTrue) announce();
      else if (value === false) envelope.isLast = true;
      break;
    case 'last':
      if (value === false) announce();
      else if (isTrue || isUrl(value)) envelope.isLast = true;
      break;
    case 'earlier':
      // Has links to other pages, but none to a next page.
      if (isUrl(value)) envelope.isLast = true;
      break;
    case 'next':
      if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) lead(value);
      else if (isTrue) announce();
      else envelope.isLast = true;
      break;
    case 'page':
      envelope.page ??= number;
      break;
    case 'offset':
      // Airtable's `offset` is a token for the next page.
      if (number !== undefined) envelope.offset ??= String(key);
      else if (name === 'offset' && typeof value === 'string' && value !== '') lead(value);
      break;
    case 'limit':
      envelope.limit ??= number;
      break;
  }

  function lead(to: string | number): void {
    envelope.next ??= { keys, value: String(to) };
    announce();
  }
}

/** Returns the facts of a feed from one page, or from the last of several. */
export function factsOf({ total, count, pageCount, more }: Envelope, items: number, pagesRead = 1): DocumentFacts {
  const declared = total ?? count;
  return {
    items,
    ...(declared === undefined ? {} : { totals: [declared] }),
    ...(pageCount === undefined ? {} : { pages: { read: pagesRead, declared: pageCount } }),
    more,
  };
}

/** Formats a name in lower case and without punctuation. */
export function plainName(name: string | number): string {
  return String(name)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

/** Returns true if a value is written like an address: `https://…`, `/…`, `?…`. */
export function isUrl(value: Scalar): value is string {
  return typeof value === 'string' && /^(https?:\/\/|\.{0,2}\/|\?)/i.test(value);
}

function meaningInPage(name: string, parent: string): string | undefined {
  if (name === 'number' || name === 'current') return 'page';
  // Some documents count pages with `page.total`, some count items.
  if (name === 'total' && parent === 'page') return 'count';
  return name === 'size' ? 'limit' : meanings.get(name);
}

function countOf(value: Scalar): number | undefined {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined;
}
