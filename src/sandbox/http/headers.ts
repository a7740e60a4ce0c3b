import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { isSameSecret } from '../../core/hash.ts';
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

/** Checks the Accept and User-Agent headers that every request carries. @throws ApiError with the given status */
export function checkClientHeaders(request: FastifyRequest, status: number): void {
  if (mediaType(request.headers.accept) !== 'application/json') {
    throw new ApiError(status, 'The Accept header must be application/json.');
  }
  if (!request.headers['user-agent']?.trim()) throw new ApiError(status, 'The User-Agent header is missing.');
}

/** Checks the Content-Type of a request that carries a body. @throws ApiError 415 */
export function checkContentType(request: FastifyRequest, expected: string): void {
  if (mediaType(request.headers['content-type']) === expected) return;
  throw new ApiError(415, `The Content-Type header must be ${expected}.`);
}

function mediaType(header: string | undefined): string | undefined {
  return header?.split(';')[0]?.trim().toLowerCase();
}
