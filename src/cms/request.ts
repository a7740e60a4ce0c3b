import type { FormData } from 'undici';
import type { z } from 'zod';
import type { Payload } from '../core/record.ts';

/** One request to the API, before it is known where the CMS is. */
export interface CmsRequest<Result> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** What it is for, in telemetry: "events.create". */
  operation: string;
  /** Below /api/v1/, without the query. */
  path: string;
  query?: URLSearchParams;
  body?: Payload | FormData;
  /** What a successful answer holds. */
  schema: z.ZodType<Result>;
  signal?: AbortSignal;
  /** Asked at the last moment, after all waiting. */
  maySend?: () => boolean;
}
