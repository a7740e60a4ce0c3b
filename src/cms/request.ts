import type { z } from 'zod';

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
  contentLength: number;
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
