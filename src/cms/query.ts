/** Query parameters of both lists (API: "Common query parameters for lists"). */
export interface ListQuery {
  /**
   * Values that items must have. The API does not define the syntax: a string is sent unchanged, a record as
   * `attributes[name]=value`. If the filter matters, check that the returned items match.
   */
  attributes?: string | Record<string, string | number | boolean>;
  /** An attribute name after "+" or "-", sent unchanged. */
  sort?: string;
  /** Items per page; the CMS's default is 20. */
  limit?: number;
  /** Number of the page, from 1. For `list`: the first page. */
  page?: number;
}

/** Query parameters of the list of events (API: "Event list filters"). */
export interface EventQuery extends ListQuery {
  /** ISO date: events on or after it. */
  startDate?: string;
  /** ISO date: events on or before it. */
  endDate?: string;
  /** Events that match a text. The API does not define the syntax: sent unchanged. */
  search?: string;
  /** Instance key of the calendar app; overrides the resource client's. */
  instance?: string;
}

/** Returns a query as URL parameters, in the order of the query. */
export function toSearchParams(query: EventQuery): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === 'object') {
      for (const [attribute, wanted] of Object.entries(value)) params.append(`${name}[${attribute}]`, String(wanted));
    } else {
      params.append(name, String(value));
    }
  }
  return params;
}
