import type { FormData } from 'undici';
import type { z } from 'zod';
import type { Payload } from '../core/record.ts';

/** One request to the API, independent of the CMS's address. */
export interface CmsRequest<Result> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Names the request in telemetry: "events.create". */
  operation: string;
  /** Below /api/v1/, without the query. */
  path: string;
  query?: URLSearchParams;
  body?: Payload | FormData;
  /** Describes the body of a successful response. */
  schema: z.ZodType<Result>;
  signal?: AbortSignal;
  confirm?: () => Promise<boolean>;
  maySend?: () => boolean;
}
