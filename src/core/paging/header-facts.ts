import { parseContentRange } from './content-range.ts';
import type { Scalar } from './names.ts';
import { type Findings, type PageFacts, weigh } from './page-facts.ts';
import { noteValue } from './page-signs.ts';

/** Values of response headers by lower-case name. */
export type ResponseHeaders = Readonly<Record<string, string | undefined>>;

/** Headers with the signs of a body in their names: `X-Total-Count`, `X-WP-TotalPages`, `x-ms-continuation`, `Pagination-Page`. */
const prefix = /^(?:x-)?(?:(?:pagination|paging|page|wp|ms|list|result|results)-)?/;
const paging = /^(?:x-|(?:pagination|paging|page)-|(?:total|next|has)-)/;
const inPages = /^(?:x-)?(?:pagination|paging|page)-/;

/** Headers that have the signs as members of a JSON object. */
const jsonHeaders = /^(?:x-)?(?:pagination|paging|paging-headers|page-info)$/;

/** Returns what the headers of a response say about its page; `nextPage` is that of the Link header. */
export function factsOfHeaders({
  headers = {},
  nextPage,
}: {
  headers?: ResponseHeaders;
  nextPage?: string;
}): PageFacts {
  const linked = nextPage === undefined ? {} : { next: { value: nextPage, shown: 'Link header with rel="next"' } };
  const found: Findings = { facts: {}, ...linked };
  for (const [header, value = ''] of Object.entries(headers)) {
    if (jsonHeaders.test(header)) noteMembers(found, header, value);
    else if (header === 'content-range') noteRange(found, value);
    else if (paging.test(header)) {
      const keys = [...(inPages.test(header) ? ['pagination'] : []), header.replace(prefix, '')];
      noteValue(found, { keys, value, header, label: `header ${header}` });
    }
  }
  return weigh(found);
}

function noteMembers(found: Findings, header: string, text: string): void {
  for (const [name, value] of Object.entries(parsed(text) ?? {})) {
    if (typeof value === 'object' && value !== null) continue;
    noteValue(found, { keys: ['pagination', name], value: value as Scalar, label: `header ${header}, ${name}` });
  }
}

/** json-server and PostgREST send `Content-Range: items 0-24/319`. */
function noteRange(found: Findings, value: string): void {
  const range = parseContentRange(value);
  if (range === undefined || range.unit === 'bytes' || range.total === undefined) return;
  found.facts.total ??= range.total;
  found.facts.totalAt ??= `header content-range: ${value.slice(0, 60)}`;
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
