import { z } from 'zod';
import type { Payload } from '../core/record.ts';
import { CmsError, isNotFound } from './errors.ts';
import type { Http } from './http.ts';
import { type CmsItem, type Page, pageSchema } from './items.ts';
import { allItems } from './pages.ts';
import { type EventQuery, type ListQuery, toSearchParams } from './query.ts';
import type { CmsRequest } from './request.ts';
import { retryCall } from './retry.ts';

/** Options of a single call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Asked at the last moment, after all waiting: where it says no, nothing is sent (CmsAbortedError). */
  maySend?: () => boolean;
}

/** The operations on one resource (API: "Endpoints"). All of them throw CmsError. */
export interface ResourceClient<Item, Query extends ListQuery = ListQuery> {
  /** @throws CmsNotFoundError where the CMS has no such item */
  get(id: number, call?: CallOptions): Promise<Item>;
  /** Creates an item; sent once. Where `error.ambiguous` is set it may exist nonetheless: look before sending it again. */
  create(payload: Payload, call?: CallOptions): Promise<Item>;
  /** PUT: attributes that the payload does not name are cleared. */
  replace(id: number, payload: Payload, call?: CallOptions): Promise<Item>;
  /** Changes only the attributes that the payload names. */
  patch(id: number, payload: Payload, call?: CallOptions): Promise<Item>;
  /** @throws CmsNotFoundError where the item is gone already, unless it was this call that removed it */
  delete(id: number, call?: CallOptions): Promise<void>;
  /** One page, as the CMS sent it. */
  page(query?: Query, call?: CallOptions): Promise<Page<Item>>;
  /** The items of all pages from `query.page` (default 1) on, each once, read page by page. */
  list(query?: Query, call?: CallOptions): AsyncIterable<Item>;
}

/** Where a resource is and what its items look like. */
export interface ResourceDefinition<Item> {
  name: 'events' | 'accounts';
  /** Below /api/v1/. */
  path: string;
  schema: z.ZodType<Item>;
  /** Goes with every request. */
  instance?: string;
}

/** A client for one resource. `retries` is how often a call is repeated by itself where that is safe. */
export function createResource<Item extends CmsItem>(
  http: Http,
  retries: number,
  { name, path, schema, instance }: ResourceDefinition<Item>,
): ResourceClient<Item, EventQuery> {
  const wholePage = pageSchema(schema);
  const itemPath = (id: number) => `${path}/${encodeURIComponent(id)}`;
  const repeat = <Result>(method: string, { signal }: CallOptions, attempt: () => Promise<Result>) =>
    retryCall(attempt, { method, retries, signal });

  function item(method: CmsRequest<Item>['method'], action: string, at: string, call: CallOptions, body?: Payload) {
    const operation = `${name}.${action}`;
    const query = toSearchParams({ instance });
    const request = { method, operation, path: at, query, body, schema, ...call };
    return repeat(method, call, () => http.send(request));
  }

  function page(query: EventQuery = {}, call: CallOptions = {}): Promise<Page<Item>> {
    const request: CmsRequest<Page<Item>> = {
      method: 'GET',
      operation: `${name}.list`,
      path,
      query: toSearchParams({ ...query, instance: query.instance ?? instance }),
      schema: wholePage,
      ...call,
    };
    return repeat('GET', call, () => http.send(request));
  }

  async function remove(id: number, call: CallOptions = {}): Promise<void> {
    const request: CmsRequest<unknown> = {
      method: 'DELETE',
      operation: `${name}.delete`,
      path: itemPath(id),
      query: toSearchParams({ instance }),
      schema: z.unknown(),
      ...call,
    };
    let mayBeGone = false;
    await repeat('DELETE', call, () =>
      http.send(request).catch((error: unknown) => {
        if (mayBeGone && isNotFound(error)) return;
        mayBeGone ||= error instanceof CmsError && error.mayBeApplied;
        throw error;
      }),
    );
  }

  return {
    get: (id, call = {}) => item('GET', 'get', itemPath(id), call),
    create: (payload, call = {}) => item('POST', 'create', path, call, payload),
    replace: (id, payload, call = {}) => item('PUT', 'replace', itemPath(id), call, payload),
    patch: (id, payload, call = {}) => item('PATCH', 'patch', itemPath(id), call, payload),
    delete: remove,
    page,
    list: (query = {}, call = {}) => allItems((step) => page({ ...query, ...step }, call), query),
  };
}
