import type { DocumentFacts } from '../../src/core/source-reading.ts';
import type { Keys } from './path.ts';

type Scalar = string | number | boolean | null | undefined;

// The usual names, in lower case and without punctuation.
const totalNames = words(
  'total totalcount totalitems totalresults totalrecords totalelements totalhits recordstotal numfound odatacount hydratotalitems',
);
const pageCountNames = words('pages totalpages pagecount numpages numberofpages lastpage');
const moreNames = words(
  'truncated istruncated partial incomplete incompleteresults hasmore more moreresults moreavailable hasnext hasnextpage morepages',
);
const nextNames = words(
  'next nexturl nextpage nextlink nextpageurl nextpagetoken nexttoken nextcursor odatanextlink hydranext',
);

/** What a page of JSON says about itself, beside its items. */
export interface Envelope {
  /** The number of items that it declares, on all pages. */
  total?: number;
  pageCount?: number;
  /** What announces more items, as the page has it: `hasMore: true`. */
  more?: string;
}

/** Adds a value that is beside the items to what the page says about itself. Names deep inside other data say nothing. */
export function addToEnvelope(envelope: Envelope, keys: Keys, value: Scalar): void {
  if (keys.length > 3 || keys.some((key) => typeof key === 'number')) return;
  const names = keys.map((key) =>
    String(key)
      .toLowerCase()
      .replaceAll(/[^a-z]/g, ''),
  );
  const last = names.at(-1) ?? '';
  // HAL: `_links.next.href`.
  const name = /^(href|url)$/.test(last) ? (names.at(-2) ?? '') : last;
  if (totalNames.has(name)) envelope.total ??= countOf(value);
  else if (pageCountNames.has(name)) envelope.pageCount ??= countOf(value);
  else if (moreNames.has(name) ? value === true : nextNames.has(name) && isLink(value)) {
    envelope.more ??= `${keys.join('.')}: ${String(value).slice(0, 100)}`;
  }
}

/** The facts of a feed of one page. */
export function factsOf({ total, pageCount, more }: Envelope, items: number, pagesRead = 1): DocumentFacts {
  return {
    items,
    ...(total === undefined ? {} : { totals: [total] }),
    ...(pageCount === undefined ? {} : { pages: { read: pagesRead, declared: pageCount } }),
    more,
  };
}

function countOf(value: Scalar): number | undefined {
  const count = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined;
}

function isLink(value: Scalar): boolean {
  return (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
