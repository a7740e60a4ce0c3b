import type { z } from 'zod';
import { CodedError } from '../../core/errors.ts';

/** Encodes a position in a list as a text for addresses. */
export function toCursor(position: z.core.util.JSONType): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * Decodes a position.
 * @throws CodedError FF_HTTP_REQUEST for a text that is not a cursor of this list
 */
export function readCursor<Position>(cursor: string, position: z.ZodType<Position>): Position {
  try {
    const text = Buffer.from(cursor, 'base64url').toString();
    if (text.includes('\\u0000')) throw new Error('A cursor of a list has no null character.');
    return position.parse(JSON.parse(text));
  } catch (cause) {
    const remedy = 'Read the list again from its beginning.';
    throw new CodedError('FF_HTTP_REQUEST', `"${cursor}" is not the "next" of an earlier page.`, { cause, remedy });
  }
}
