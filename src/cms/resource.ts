import { z } from 'zod';
import type { Payload } from '../core/record.ts';
import { CmsError, isNotFound } from './errors.ts';
import type { Http } from './http.ts';
import { type CmsItem, type Page, pageSchema } from './items.ts';
import { allItems } from './pages.ts';
import { type EventQuery, type ListQuery, toSearchParams } from './query.ts';
import type { CallOptions, CmsRequest } from './request.ts';
import { retryCall } from './retry.ts';

/** The operations on one resource (API: "Endpoints"). All of them throw CmsError. */
export interface ResourceClient<Item, Query extends ListQuery = ListQuery> {
  get(id: number, call?: CallOptions): Promise<Item>;
  /** Creates an item; sent once. If `error.ambiguous` is set, the item may exist: look for it before sending it again. */
  create(payload: Payload, call?: CallOptions): Promise<Item>;
  /** PUT: attributes that the payload does not name are cleared. */
  replace(id: number, payload: Payload, call?: CallOptions): Promise<Item>;
  /** Changes only the attributes that the payload names. */
  patch(id: number, payload: Payload, call?: CallOptions): Promise<Item>;
  /** Throws FF_CMS_NOT_FOUND if the item was already deleted, unless by an earlier attempt of this call. */
  delete(id: number, call?: CallOptions): Promise<void>;
  /** One page, as the CMS sent it. */
  page(query?: Query, call?: CallOptions): Promise<Page<Item>>;
  /**
   * The items of all pages from `query.page` (default 1) on, each once, read page by page. Returns how many the CMS counts, if it
   * does.
   */
  list(query?: Query, call?: CallOptions): AsyncGenerator<Item, number | undefined, undefined>;
}

/** Returns where a resource is, below /api/v1/, and what its items look like. */
export function defineResource<Item>(name: 'events' | 'accounts', path: string, schema: z.ZodType<Item>) {
  return { name, path, schema, schemaOfPage: pageSchema(schema) };
}

/**
 * Creates a client for one resource.
 * @param retries how often a call is repeated if that is safe
 * @param instance sent with every request
 */
export function createResource<Item extends CmsItem>(
  http: Http,
  retries: number,
  { name, path, schema, schemaOfPage }: ReturnType<typeof defineResource<Item>>,
  instance?: string,
): ResourceClient<Item, EventQuery> {
  return {
    get: (id, call) => sendItem('GET', 'get', toItem(id), call),
    create: (payload, call) => sendItem('POST', 'create', to(path), call, payload),
    replace: (id, payload, call) => sendItem('PUT', 'replace', toItem(id), call, payload),
    patch: (id, payload, call) => sendItem('PATCH', 'patch', toItem(id), call, payload),
    delete: remove,
    page,
    list: (query = {}, call = {}) => allItems((step) => page({ ...query, ...step }, call), query),
  };

  function to(address: string, query?: EventQuery): Pick<CmsRequest<unknown>, 'path' | 'query'> {
    return { path: address, query: toSearchParams({ ...query, instance: query?.instance ?? instance }) };
  }

  function toItem(id: number) {
    return to(`${path}/${encodeURIComponent(id)}`);
  }

  function sendItem(
    method: CmsRequest<Item>['method'],
    action: string,
    address: ReturnType<typeof to>,
    call?: CallOptions,
    body?: Payload,
  ): Promise<Item> {
    return repeated({ method, operation: `${name}.${action}`, ...address, body, schema, ...call });
  }

  function page(query?: EventQuery, call?: CallOptions): Promise<Page<Item>> {
    return repeated({ method: 'GET', operation: `${name}.list`, ...to(path, query), schema: schemaOfPage, ...call });
  }

  async function remove(id: number, call?: CallOptions): Promise<void> {
    const deletion = {
      method: 'DELETE',
      operation: `${name}.delete`,
      ...toItem(id),
      schema: z.unknown(),
      ...call,
    } as const;
    let mayBeDeleted = false;
    await repeated(deletion, () =>
      http.send(deletion).catch((error: unknown) => {
        if (mayBeDeleted && isNotFound(error)) return;
        mayBeDeleted ||= error instanceof CmsError && error.mayBeApplied;
        throw error;
      }),
    );
  }

  function repeated<Result>(request: CmsRequest<Result>, attempt = () => http.send(request)): Promise<Result> {
    return retryCall(attempt, { ...request, retries });
  }
}
