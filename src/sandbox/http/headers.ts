import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

/** Checks `Authorization: Bearer TOKEN` (API: "Authentication"). @throws ApiError 401 */
export function bearerCheck(token: string): (request: FastifyRequest) => void {
  const isToken = tokenCheck(token);
  return (request) => {
    const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (given !== undefined && isToken(given)) return;
    throw new ApiError(401, 'The API token is missing or invalid.', { 'www-authenticate': 'Bearer' });
  };
}

/** Checks the token in a form that browsers can ask their user for: HTTP Basic (RFC 7617), any name, the token as password. */
export function basicCheck(token: string): (request: FastifyRequest) => void {
  const isToken = tokenCheck(token);
  return (request) => {
    const encoded = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const password = Buffer.from(encoded, 'base64')
      .toString()
      .replace(/^[^:]*:/, '');
    if (isToken(password)) return;
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

/** Compares digests: neither length nor content of the token shows in the time taken. */
function tokenCheck(token: string): (given: string) => boolean {
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
