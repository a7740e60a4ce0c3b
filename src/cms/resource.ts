import { z } from 'zod';
import type { Payload } from '../core/record.ts';
import { CmsError, isNotFound } from './errors.ts';
import type { Http } from './http.ts';
import { type CmsItem, type Page, pageSchema } from './items.ts';
import { allItems } from './pages.ts';
import { type EventQuery, type ListQuery, toSearchParams } from './query.ts';
import type { CmsRequest } from './request.ts';
import { retryCall } from './retry.ts';

type Method = CmsRequest<unknown>['method'];

/** Options of a single call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Called after all waiting, unless the request only reads. If it returns false, nothing is sent (FF_CMS_ABORTED). */
  confirm?: () => Promise<boolean>;
  /** Called right before the first byte is written to the connection. If it returns false, nothing is sent (FF_CMS_ABORTED). */
  maySend?: () => boolean;
}

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
  /** The items of all pages from `query.page` (default 1) on, each once, read page by page. */
  list(query?: Query, call?: CallOptions): AsyncIterable<Item>;
}

/** Where a resource is and what its items look like. */
export interface ResourceDefinition<Item> {
  name: 'events' | 'accounts';
  /** Below /api/v1/. */
  path: string;
  schema: z.ZodType<Item>;
  /** Sent with every request. */
  instance?: string;
}

/** Creates a client for one resource. `retries` is how often a call is repeated if that is safe. */
export function createResource<Item extends CmsItem>(
  http: Http,
  retries: number,
  { name, path, schema, instance }: ResourceDefinition<Item>,
): ResourceClient<Item, EventQuery> {
  const schemaOfPage = pageSchema(schema);
  const toItem = (id: number) => `${path}/${encodeURIComponent(id)}`;
  const sendItem = (method: Method, action: string, to: string, call: CallOptions = {}, body?: Payload) =>
    repeated(request(method, action, to, schema, call, { body }));

  return {
    get: (id, call) => sendItem('GET', 'get', toItem(id), call),
    create: (payload, call) => sendItem('POST', 'create', path, call, payload),
    replace: (id, payload, call) => sendItem('PUT', 'replace', toItem(id), call, payload),
    patch: (id, payload, call) => sendItem('PATCH', 'patch', toItem(id), call, payload),
    delete: remove,
    page,
    list: (query = {}, call = {}) => allItems((step) => page({ ...query, ...step }, call), query),
  };

  function request<Result>(
    method: Method,
    action: string,
    to: string,
    resultSchema: z.ZodType<Result>,
    call: CallOptions = {},
    { query, body }: { query?: EventQuery; body?: Payload } = {},
  ): CmsRequest<Result> {
    const params = toSearchParams({ ...query, instance: query?.instance ?? instance });
    return { method, operation: `${name}.${action}`, path: to, query: params, body, schema: resultSchema, ...call };
  }

  function repeated<Result>(of: CmsRequest<Result>, attempt = () => http.send(of)): Promise<Result> {
    return retryCall(attempt, { method: of.method, retries, signal: of.signal });
  }

  function page(query?: EventQuery, call?: CallOptions): Promise<Page<Item>> {
    return repeated(request('GET', 'list', path, schemaOfPage, call, { query }));
  }

  async function remove(id: number, call?: CallOptions): Promise<void> {
    const deletion = request('DELETE', 'delete', toItem(id), z.unknown(), call);
    let mayBeDeleted = false;
    await repeated(deletion, () =>
      http.send(deletion).catch((error: unknown) => {
        if (mayBeDeleted && isNotFound(error)) return;
        mayBeDeleted ||= error instanceof CmsError && error.mayBeApplied;
        throw error;
      }),
    );
  }
}
