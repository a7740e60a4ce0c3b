import type { FastifyInstance } from 'fastify';
import { ApiError } from './errors.ts';

const maxDepth = 32;

/**
 * Reads JSON bodies strictly: UTF-8 without exception, no keys that would reach an object's prototype, no lone
 * surrogates, no nesting that would exhaust the stack later. What does not fit is a 400; another media type is a 415.
 */
export function acceptJsonBodies(app: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) {
      done(null, undefined);
      return;
    }
    let text: string;
    try {
      text = utf8.decode(body as Buffer);
    } catch {
      done(new ApiError(400, 'The body is not valid UTF-8.'));
      return;
    }
    void parse(request, text, (error, value) => {
      if (error) done(new ApiError(400, 'The body is not valid JSON.'));
      else done(problemOf(value), value);
    });
  });
}

/** Walks a value without recursion. */
function problemOf(value: unknown): ApiError | null {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return new ApiError(400, `The body is nested deeper than ${maxDepth} levels.`);
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item === 'string' && !item.isWellFormed())
        return new ApiError(400, 'The body holds half a character.');
      if (typeof item !== 'object' || item === null) continue;
      for (const key in item) {
        if (!key.isWellFormed()) return new ApiError(400, 'The body holds half a character.');
        next.push((item as Record<string, unknown>)[key]);
      }
    }
    level = next;
  }
  return null;
}
