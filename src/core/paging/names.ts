/** Keys that lead to a value of a document. */
export type ValueKeys = ReadonlyArray<string | number>;

/** A value beside the items of a document. */
export type Scalar = string | number | boolean | null | undefined;

/** Names of objects that describe a page, not an item. */
export const pageObject = /^(page|pager|pages|paging|pagination|pageinfo|batching|cursors)$/;

/** Names of objects that hold the answer, or describe it. */
export const describing =
  /^(d|data|extensions|info|header|headers|list|meta|metadata|opensearch|query|response|responseheader|responsemetadata|result|results|searchresults|status|summary)$/;

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

/** Returns the boolean that a value is, or spells. */
export function booleanOf(value: Scalar): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

/** Returns the whole number from 0 on that a value is, or spells. */
export function countOf(value: Scalar): number | undefined {
  const count = typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Formats a value with the place of its name, for messages: `meta.next: abc`. */
export function describeValue(keys: ValueKeys, value: Scalar): string {
  return `${keys.join('.')}: ${String(value)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, 100)}`;
}
