import { z } from 'zod';
import { CodedError } from '../core/errors.ts';

/** Options of a single call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Replaces the client's value. */
  timeoutMs?: number;
  /** Replaces the client's value. 0: the request is sent once. */
  retries?: number;
  /** Called before and after waiting at the gate, unless the request only reads. If it returns false, nothing is sent (FF_CMS_ABORTED). */
  confirm?: () => Promise<boolean>;
  /** Called right before the first byte is written to the connection. If it returns false, nothing is sent (FF_CMS_ABORTED). */
  maySend?: () => boolean;
  /** The request may begin although the client is stopping (`stopping` of the client). */
  evenIfStopping?: boolean;
}

/** Options of a list. */
export interface ListCall extends CallOptions {
  /**
   * Some CMSs count items that they do not show, so that pages are empty. With this option, such a list ends without an error:
   * compare the returned count.
   */
  acceptsHidden?: boolean;
  /** Reads several pages until they show nothing new, because items that the list lacks count as absent. */
  isProof?: boolean;
}

/** A file as the body of a multipart form. */
export interface FormBody {
  contentType: string;
  /** Length of the form, if the length of the file is known. */
  contentLength?: number;
  /** Returns the bytes of the form. `onChunk` is called for each chunk that the connection takes. */
  chunks(onChunk: () => void): AsyncIterable<Uint8Array>;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request to the API, independent of the CMS's address. */
export interface CmsRequest<Result> extends CallOptions {
  method: Method;
  /** Names the request in telemetry: "events.create". */
  operation: string;
  /** Path below /api/v1/, without the query. */
  path: string;
  query?: URLSearchParams;
  /** Sent as JSON. */
  body?: object;
  /** Replaces the body. */
  form?: FormBody;
  /** Describes the body of a successful response. */
  schema: z.ZodType<Result>;
  /** The item that the path names, and that a successful response has to show. */
  itemId?: number;
}

/** A request for which the client has no method. */
export interface RawRequest extends CallOptions {
  /** Default GET. */
  method?: Method;
  /** Path below /api/v1/, without the query: "calendar/categories". */
  path: string;
  query?: Record<string, string | number | boolean | undefined> | URLSearchParams;
  /** Sent as JSON. */
  body?: object;
}

/**
 * Returns a request to any path of the API.
 * @throws CodedError FF_CONFIG_INVALID for a path that leads elsewhere
 */
export function rawRequest({ method = 'GET', path, query, ...rest }: RawRequest): CmsRequest<unknown> {
  const isBelow =
    !/^\/|[?#\\\s]|[^\x21-\x7e]/.test(path) && !path.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part));
  if (!isBelow || path === '') {
    throw new CodedError('FF_CONFIG_INVALID', `The path ${JSON.stringify(path)} is not below /api/v1/.`, {
      remedy: 'Write it without /api/v1/ and without a query, for example calendar/events.',
    });
  }
  const given = query instanceof URLSearchParams ? [...query] : Object.entries(query ?? {});
  const params = new URLSearchParams();
  for (const [name, value] of given) if (value !== undefined) params.append(name, String(value));
  return { method, operation: 'request', path, query: params, schema: z.unknown(), ...rest };
}
