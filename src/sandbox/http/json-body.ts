import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

const maxDepth = 32;

/**
 * Reads JSON bodies strictly: UTF-8 without exception, no keys that would reach an object's prototype, no lone surrogates, no
 * nesting that would exhaust the stack later. A body that breaks these rules is a 400; another media type is a 415.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  const parse = promisify(app.getDefaultJsonParser('error', 'error'));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined;
    if (!isUtf8(body)) throw new ApiError(400, 'The body is not valid UTF-8.');
    const value = await parse(request, body.toString()).catch(() => {
      throw new ApiError(400, 'The body is not valid JSON.');
    });
    const problem = problemOf(value);
    if (problem) throw new ApiError(400, problem);
    return value;
  });
}

function problemOf(value: unknown, depth = 0): string | undefined {
  if (depth > maxDepth) return `The body is nested deeper than ${maxDepth} levels.`;
  if (typeof value === 'string' && !value.isWellFormed()) return 'The body contains half a character.';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const problem = problemOf(key, depth) ?? problemOf(item, depth + 1);
    if (problem) return problem;
  }
  return undefined;
}
