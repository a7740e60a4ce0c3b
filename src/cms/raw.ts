import { z } from 'zod';
import { CodedError } from '../core/errors.ts';
import type { CallOptions, CmsRequest, Method } from './request.ts';

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
