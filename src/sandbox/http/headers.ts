import type { FastifyRequest, onRequestAsyncHookHandler, preHandlerAsyncHookHandler } from 'fastify';
import { isSameSecret, sha256 } from '../../core/hash.ts';
import { ApiError } from './errors.ts';

/** Checks `Authorization: Bearer TOKEN` (API: "Authentication"). @throws ApiError 401 */
export function bearerHook(token: string): onRequestAsyncHookHandler {
  return async (request) => {
    const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (given !== undefined && isSameSecret(given, token)) return;
    throw new ApiError(401, 'The API token is missing or invalid.', { 'www-authenticate': 'Bearer' });
  };
}

/** Checks the token in a form that browsers can ask their user for: HTTP Basic (RFC 7617), any name, the token as password. */
export function basicHook(token: string): onRequestAsyncHookHandler {
  return async (request) => {
    const encoded = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
    if (isSameSecret(password, token)) return;
    throw new ApiError(401, 'Give the API token as the password.', { 'www-authenticate': 'Basic realm="edit"' });
  };
}

/** The value of the field `_token` in each form. Other sites cannot know it, so they cannot let a browser send a form. */
export function formSecret(token: string): string {
  return sha256(`form ${token}`);
}

/** Checks the token of a form. @throws ApiError 403 */
export function formHook(token: string): preHandlerAsyncHookHandler {
  return async ({ method, body }) => {
    if (method === 'GET' || method === 'HEAD') return;
    const { _token: given } = (body ?? {}) as { _token?: unknown };
    if (typeof given === 'string' && isSameSecret(given, formSecret(token))) return;
    throw new ApiError(403, 'The form is not one of this sandbox. Load its page again.');
  };
}

/** Checks the Accept and User-Agent headers that every request carries. @throws ApiError with this status */
export function checkClientHeaders(request: FastifyRequest, status: number): void {
  if (mediaType(request.headers.accept) !== 'application/json') {
    throw new ApiError(status, 'The Accept header must be application/json.');
  }
  if (!request.headers['user-agent']?.trim()) throw new ApiError(status, 'The User-Agent header is missing.');
}

/** Checks the Content-Type of a request with a body. @throws ApiError 415 */
export function checkContentType(request: FastifyRequest, expected: string): void {
  if (mediaType(request.headers['content-type']) === expected) return;
  throw new ApiError(415, `The Content-Type header must be ${expected}.`);
}

function mediaType(header: string | undefined): string | undefined {
  return header?.split(';')[0]?.trim().toLowerCase();
}
