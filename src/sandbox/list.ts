import { isIsoDate } from '../core/dates/iso-date.ts';
import type { Json } from '../core/record.ts';
import { ApiError } from './http/errors.ts';
import type { SandboxSwitches } from './options.ts';
import { attributeName, type ItemQuery } from './store/store-sql.ts';

/** A parsed query string: as node:querystring makes it. */
export type Query = Record<string, string | string[] | undefined>;

const defaultLimit = 20;
const maxFilters = 10;
const maxWords = 10;

/**
 * Reads the query parameters of a list (API: "Common query parameters for lists", "Event list filters").
 * @throws ApiError 400 for a parameter that cannot be read.
 */
export function parseListQuery(
  query: Query,
  instance: string,
  switches: SandboxSwitches,
  ofEvents: boolean,
): ItemQuery {
  const limit = Math.min(positiveInteger(query, 'limit', defaultLimit), switches.maxLimit);
  return {
    instance,
    limit,
    page: positiveInteger(query, 'page', 1),
    attributes: switches.attributesFilter === 'on' ? attributeFilters(query) : [],
    words: ofEvents && switches.search === 'on' ? searchWords(query) : [],
    startDate: ofEvents ? date(query, 'startDate') : undefined,
    endDate: ofEvents ? date(query, 'endDate') : undefined,
    dateFilter: switches.dateFilter,
    sort: sortTerms(query),
  };
}

/** Wraps one page of items (API: "List envelope"). @throws ApiError 404 for a page beyond the last, if the switch says so. */
export function envelope(data: Json[], total: number, list: ItemQuery, query: Query, switches: SandboxSwitches) {
  const { page, limit } = list;
  const totalPages = Math.ceil(total / limit);
  if (switches.lastPage === 'error' && page > Math.max(totalPages, 1)) {
    throw new ApiError(404, `There is no page ${page}: the last one is ${Math.max(totalPages, 1)}.`);
  }
  const lastLinked = switches.lastPage === 'empty' ? totalPages + 1 : totalPages;
  const link = (to: number) => pageLink(to, limit, query, switches);
  const links = {
    ...(page > 1 && { previous: link(page - 1) }),
    ...(page < lastLinked && { next: link(page + 1) }),
  };
  return {
    data,
    pagination: { currentPage: page, perPage: limit, count: data.length, totalPages, total, links },
    totalItems: total,
  };
}

/** Returns the single value of a parameter. @throws ApiError 400 if it is given several times. */
export function single(query: Query, name: string): string | undefined {
  const value = query[name];
  if (Array.isArray(value)) throw new ApiError(400, `Query parameter ${name} is given more than once.`);
  return value;
}

function pageLink(page: number, limit: number, query: Query, switches: SandboxSwitches): string {
  const params = new URLSearchParams({ page: String(page), limit: String(limit) });
  if (switches.links === 'bare') return `?${params}`;
  for (const [name, value] of Object.entries(query)) {
    if (name === 'page' || name === 'limit') continue;
    for (const one of [value ?? ''].flat()) params.append(name, one);
  }
  return `?${params}`;
}

function positiveInteger(query: Query, name: string, fallback: number): number {
  const text = single(query, name);
  if (text === undefined) return fallback;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new ApiError(400, `Query parameter ${name} must be a whole number from 1 on.`);
  return Number(text);
}

function date(query: Query, name: string): string | undefined {
  const text = single(query, name);
  if (text !== undefined && !isIsoDate(text))
    throw new ApiError(400, `Query parameter ${name} must be a date YYYY-MM-DD.`);
  return text;
}

/** `attributes[email]=x` or `attributes=email:x`, each as often as wanted; all must match. */
function attributeFilters(query: Query): ItemQuery['attributes'] {
  const filters: ItemQuery['attributes'] = [];
  for (const [name, values] of Object.entries(query)) {
    const bracketed = /^attributes\[(.*)\]$/s.exec(name)?.[1];
    if (bracketed === undefined && name !== 'attributes') continue;
    for (const text of [values ?? ''].flat()) {
      const colon = text.indexOf(':');
      if (bracketed !== undefined) filters.push({ attribute: bracketed, value: text });
      else if (colon > 0) filters.push({ attribute: text.slice(0, colon), value: text.slice(colon + 1) });
      else throw new ApiError(400, 'Query parameter attributes must be attributes[KEY]=VALUE or attributes=KEY:VALUE.');
    }
  }
  if (filters.length > maxFilters) throw new ApiError(400, `At most ${maxFilters} attributes can be filtered by.`);
  for (const { attribute } of filters) checkAttribute(attribute, 'attributes');
  return filters;
}

/** `+lastName,-date`. A plus sign not percent-encoded arrives as a space: both are ascending. */
function sortTerms(query: Query): ItemQuery['sort'] {
  const texts = [query.sort ?? []].flat().flatMap((text) => text.split(','));
  if (texts.length > maxFilters) throw new ApiError(400, `At most ${maxFilters} attributes can be sorted by.`);
  return texts.map((text) => {
    const attribute = text.replace(/^[+ -]/, '');
    checkAttribute(attribute, 'sort');
    return { attribute, descending: text.startsWith('-') };
  });
}

function checkAttribute(attribute: string, parameter: string): void {
  if (attributeName.test(attribute)) return;
  throw new ApiError(
    400,
    `Query parameter ${parameter} names no attribute: letters, digits, _ and - make a layout key.`,
  );
}

function searchWords(query: Query): string[] {
  const words = (single(query, 'search') ?? '').toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length > maxWords) throw new ApiError(400, `Query parameter search has more than ${maxWords} words.`);
  return words;
}
