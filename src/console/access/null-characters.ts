import type { preValidationAsyncHookHandler } from 'fastify';
import { CodedError } from '../../core/errors.ts';

/** Refuses texts with a null character: PostgreSQL cannot compare them with anything, and no name or key has one. */
export const nullCharacterHook: preValidationAsyncHookHandler = async ({ params, query, body }) => {
  if (![params, query, body].some(hasNull)) return;
  throw new CodedError('FF_HTTP_REQUEST', 'The request has a null character (U+0000).');
};

function hasNull(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.entries(value).flat().some(hasNull);
}
