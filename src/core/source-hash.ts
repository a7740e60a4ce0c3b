import { sha256 } from './hash.ts';
import type { SourceRecord } from './record.ts';

/**
 * Returns the hash of the fields of a source record, in their order; undefined if JSON cannot represent the fields exactly,
 * because different records would have the same hash.
 * @param scope what else decides the result, of a fixed length
 */
export function sourceHash(fields: SourceRecord['fields'], scope: string): string | undefined {
  return isExact(fields) ? sha256(scope + JSON.stringify(fields)) : undefined;
}

/** Whether JSON represents a value without loss. */
function isExact(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  // JSON has neither a negative zero nor infinity.
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (Array.isArray(value)) return value.every(isExact);
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const name of Object.keys(value)) if (!isExact((value as Record<string, unknown>)[name])) return false;
  return true;
}
