import type { Scalar, ValueKeys } from './names.ts';

/** A value that leads to the next page. */
export interface NextValue {
  value: string;
  /** Where the value is in the document. */
  keys?: ValueKeys;
  /** The response header with the value. */
  header?: string;
}

/** What an answer says about itself beside its items: in its headers, or in its body. */
export interface PageFacts {
  /** The declared number of items, on all pages. */
  total?: number;
  /** A declared number of items, either on all pages or on this one. */
  count?: number;
  /** Where the number of items is declared, for messages: `hits.total.value`. */
  totalAt?: string;
  pageCount?: number;
  /** The announcement of more items, as written in the answer: `hasMore: true`. */
  more?: string;
  /** Whether only a value for the next page announces more. */
  isMoreByNext?: boolean;
  /** The value that leads to the next page. */
  next?: NextValue;
  /** The number of this page. */
  page?: number;
  /** The name of the number of items before this page. */
  offset?: string;
  /** Number of items on a full page. */
  limit?: number;
  /** Whether the answer declares that no page follows. */
  isLast?: boolean;
  /** Whether it does so with a plain yes or no: `hasMore: false`. */
  saysEnd?: boolean;
  /** The report of an error beside the items, as written in the answer: `errors.0.message: Timeout`. */
  error?: string;
}

/** A value beside the items, with its place. */
export interface NamedValue {
  value: Scalar;
  keys: ValueKeys;
  /** The response header that is the value. */
  header?: string;
  /** The name for messages. Default: the keys. */
  label?: string;
}

/** Findings of an answer before they are weighed against each other. */
export interface Findings {
  /** Facts that need no weighing. */
  facts: PageFacts;
  /** A value that says by itself that more follows: `hasMore: true`. */
  saysMore?: string;
  /** Whether a value says by itself that nothing follows: `hasMore: false`. */
  saysEnd?: boolean;
  /** Whether the answer has a place for a next page, which is empty, or leads to other pages only. */
  leadsNowhere?: boolean;
  /** A value that leads to a next page. */
  next?: NextValue & { shown: string };
  /** A position from which a next page could start; some servers send it on the last page, too. */
  position?: NextValue & { shown: string };
  /** Whether a position without any other sign means that more follows. */
  positionSaysMore?: boolean;
}

/**
 * Weighs the findings of one answer. A plain yes or no counts more than a value for the next page, because some servers send that
 * value with every page.
 */
export function weigh({ facts, ...found }: Findings): PageFacts {
  const { saysMore, saysEnd = false, leadsNowhere = false, position } = found;
  const isOpen = !saysEnd && !leadsNowhere;
  const next = found.next ?? (saysMore !== undefined || (isOpen && found.positionSaysMore) ? position : undefined);
  const more = saysMore ?? (saysEnd ? undefined : next?.shown);
  return {
    ...facts,
    ...(more !== undefined && { more, isMoreByNext: saysMore === undefined }),
    ...(next && more !== undefined && { next: withoutText(next) }),
    ...(more === undefined && (saysEnd || leadsNowhere) && { isLast: true, saysEnd }),
  };
}

/** Merges what the headers and the body of an answer say. A sign of more in either counts; otherwise, the body does. */
export function mergeFacts(headers: PageFacts, body: PageFacts): PageFacts {
  const merged = { ...headers, ...body };
  return merged.more === undefined ? merged : { ...merged, isLast: false, saysEnd: false };
}

function withoutText({ value, keys, header }: NextValue): NextValue {
  return { value, ...(keys && { keys }), ...(header !== undefined && { header }) };
}
