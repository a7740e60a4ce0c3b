import { z } from 'zod';
import type { Calls } from './calls.ts';
import { CmsError, isNotFound } from './errors.ts';
import { type CmsItem, type Page, pageSchema } from './items.ts';
import type { PageSizes } from './page-size.ts';
import { allItems } from './pages.ts';
import { type EventQuery, type ListQuery, toSearchParams } from './query.ts';
import type { CallOptions, CmsRequest, ListCall, Method } from './request.ts';

/** Attributes of an item by layout key: those of the API, and the custom ones of the site. */
type Attributes = Readonly<Record<string, unknown>>;

/** The operations on one resource (API: "Endpoints"). All of them throw CmsError. */
export interface ResourceClient<Item, Query extends ListQuery = ListQuery> {
  get(id: number, call?: CallOptions): Promise<Item>;
  /** Creates an item; sent once. If `error.ambiguous` is set, the item may exist: look for it before sending it again. */
  create(attributes: Attributes, call?: CallOptions): Promise<Item>;
  /** PUT: attributes that are not named are cleared. */
  replace(id: number, attributes: Attributes, call?: CallOptions): Promise<Item>;
  /** Changes only the attributes that are named; null clears one. */
  patch(id: number, changes: Attributes, call?: CallOptions): Promise<Item>;
  /** Throws FF_CMS_NOT_FOUND if the item was already deleted, unless by an earlier attempt of this call. */
  delete(id: number, call?: CallOptions): Promise<void>;
  /** One page, as the CMS sent it. */
  page(query?: Query, call?: CallOptions): Promise<Page<Item>>;
  /**
   * The items of all pages from `query.page` (default 1) on, each once, read page by page. Returns how many items the CMS
   * counts, if it counts them. Throws FF_CMS_RESPONSE rather than end before a page that the CMS counts.
   */
  list(query?: Query, call?: ListCall): AsyncGenerator<Item, number | undefined, undefined>;
}

type ResourceDefinition<Item> = ReturnType<typeof defineResource<Item>>;

/** Returns the path of a resource, below /api/v1/, and the schema of its items. */
export function defineResource<Item>(name: 'events' | 'accounts', path: string, schema: z.ZodType<Item>) {
  return { name, path, schema, schemaOfPage: pageSchema(schema) };
}

/**
 * Creates a client for one resource.
 * @param instance sent with every request
 */
export function createResource<Item extends CmsItem>(
  calls: Calls,
  sizes: PageSizes,
  { name, path, schema, schemaOfPage }: ResourceDefinition<Item>,
  instance?: string,
): ResourceClient<Item, EventQuery> {
  return {
    get: (id, call) => sendItem('GET', 'get', { ...toItem(id), itemId: id }, call),
    create: (attributes, call) => sendItem('POST', 'create', to(path), call, attributes),
    replace: (id, attributes, call) => sendItem('PUT', 'replace', { ...toItem(id), itemId: id }, call, attributes),
    patch: (id, changes, call) => sendItem('PATCH', 'patch', { ...toItem(id), itemId: id }, call, changes),
    delete: remove,
    page,
    list: (query = {}, { acceptsHidden, isProof, ...call } = {}) =>
      allItems(pageReader(query, call), query, { acceptsHidden, isProof }),
  };

  function to(address: string, query?: EventQuery): Pick<CmsRequest<unknown>, 'path' | 'query'> {
    return { path: address, query: toSearchParams({ ...query, instance: query?.instance ?? instance }) };
  }

  function toItem(id: number) {
    return to(`${path}/${encodeURIComponent(id)}`);
  }

  function sendItem(
    method: Method,
    action: string,
    address: ReturnType<typeof to> & Pick<CmsRequest<unknown>, 'itemId'>,
    call?: CallOptions,
    body?: object,
  ): Promise<Item> {
    const operation = `${name}.${action}`;
    return calls.send({ method, operation, ...address, body, schema, ...call });
  }

  async function page(query: EventQuery = {}, call?: CallOptions): Promise<Page<Item>> {
    if ((query.page ?? 1) > 1) return sendPage({ ...query, limit: sizes.allowed(name, query.limit) }, call);
    return (await sizes.readFirst(name, query.limit, (limit) => sendPage({ ...query, limit }, call))).page;
  }

  /** Reads the pages of one list, all in the size that the CMS takes for the first. */
  function pageReader(query: EventQuery, call?: CallOptions): (step: ListQuery) => Promise<Page<Item>> {
    let size: { limit: number | undefined } | undefined;
    return async (step) => {
      if (size) {
        const limit = size.limit === undefined ? undefined : Math.min(step.limit ?? size.limit, size.limit);
        return sendPage({ ...query, ...step, limit }, call);
      }
      const send = (limit: number | undefined) => sendPage({ ...query, ...step, limit }, call);
      const first = await sizes.readFirst(name, step.limit, send);
      if (step.limit !== undefined) size = { limit: first.limit };
      return first.page;
    };
  }

  function sendPage(query: EventQuery, call?: CallOptions): Promise<Page<Item>> {
    const request = { method: 'GET', operation: `${name}.list`, ...to(path, query), schema: schemaOfPage } as const;
    return calls.send({ ...request, ...call });
  }

  async function remove(id: number, call?: CallOptions): Promise<void> {
    const request = { method: 'DELETE', operation: `${name}.delete`, ...toItem(id), schema: z.unknown() } as const;
    let mayBeDeleted = false;
    await calls.send({ ...request, ...call }, (attempt) =>
      attempt().catch((error: unknown) => {
        if (mayBeDeleted && isNotFound(error)) return undefined;
        mayBeDeleted ||= error instanceof CmsError && error.mayBeApplied;
        throw error;
      }),
    );
  }
}
