import { isIsoDate } from '../core/dates/iso-date.ts';
import type { Json } from '../core/record.ts';
import { ApiError } from './http/errors.ts';
import type { SandboxSwitches } from './options.ts';
import { attributeName, type ItemQuery } from './store/store-sql.ts';

/** A parsed query string, in the form of node:querystring. */
export type Query = Record<string, string | string[] | undefined>;

const defaultLimit = 20;
const wholeNumber = { is: 'a whole number from 1 on', test: (text: string) => /^[1-9]\d{0,8}$/.test(text) };
const date = { is: 'a date YYYY-MM-DD', test: isIsoDate };
const maxFilters = 10;
const maxWords = 10;

/**
 * Reads the query parameters of a list (API: "Common query parameters for lists", "Event list filters").
 * @throws ApiError 400 for a parameter that cannot be read; 400 or 422 for a limit that the switches refuse.
 */
export function parseListQuery(
  query: Query,
  instance: string,
  switches: SandboxSwitches,
  ofEvents: boolean,
): ItemQuery {
  return {
    instance,
    limit: pageSize(query, switches),
    page: Number(single(query, 'page', wholeNumber) ?? 1),
    attributes: switches.attributesFilter === 'on' ? attributeFilters(query) : [],
    words: ofEvents && switches.search === 'on' ? searchWords(query) : [],
    startDate: ofEvents ? single(query, 'startDate', date) : undefined,
    endDate: ofEvents ? single(query, 'endDate', date) : undefined,
    dateFilter: switches.dateFilter,
    sort: sortTerms(query),
  };
}

function pageSize(query: Query, { maxLimit, overLimit }: SandboxSwitches): number {
  const limit = Number(single(query, 'limit', wholeNumber) ?? defaultLimit);
  const isRefused = overLimit !== 'reduced' && query.limit !== undefined && limit > maxLimit;
  if (isRefused) throw new ApiError(overLimit, `Query parameter limit must be at most ${maxLimit}.`);
  return Math.min(limit, maxLimit);
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

/** Returns the single value of a parameter. @throws ApiError 400 if the parameter is repeated or does not have this form */
export function single(query: Query, name: string, form?: { is: string; test: (text: string) => boolean }) {
  const value = query[name];
  if (Array.isArray(value)) throw new ApiError(400, `Query parameter ${name} is given more than once.`);
  if (value === undefined || !form || form.test(value)) return value;
  throw new ApiError(400, `Query parameter ${name} must be ${form.is}.`);
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
  const problem = `Query parameter ${parameter} names no attribute: letters, digits, _ and - make a layout key.`;
  throw new ApiError(400, problem);
}

function searchWords(query: Query): string[] {
  const words = (single(query, 'search') ?? '').toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length > maxWords) throw new ApiError(400, `Query parameter search has more than ${maxWords} words.`);
  return words;
}
