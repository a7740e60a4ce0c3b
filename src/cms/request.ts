import type { z } from 'zod';
import type { Payload } from '../core/record.ts';

/** Options of a single call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Called before and after waiting at the gate, unless the request only reads. If it returns false, nothing is sent (FF_CMS_ABORTED). */
  confirm?: () => Promise<boolean>;
  /** Called right before the first byte is written to the connection. If it returns false, nothing is sent (FF_CMS_ABORTED). */
  maySend?: () => boolean;
}

/** One request to the API, independent of the CMS's address. */
export interface CmsRequest<Result> extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Names the request in telemetry: "events.create". */
  operation: string;
  /** Below /api/v1/, without the query. */
  path: string;
  query?: URLSearchParams;
  body?: Payload;
  /** In place of a body: a form of undici, whose types users need not install. */
  form?: object;
  /** Describes the body of a successful response. */
  schema: z.ZodType<Result>;
}
