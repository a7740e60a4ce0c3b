import { hash, timingSafeEqual } from 'node:crypto';
import type { Json } from './record.ts';

/** Returns the hex SHA-256 of bytes or UTF-8 text. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content);
}

/** Compares secrets by their digests, which have equal lengths, so that the time taken reveals nothing. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}

/** Returns the hex SHA-256 of a JSON value in its canonical form (RFC 8785): key order does not matter. */
export function hashJson(value: Json): string {
  return sha256(canonical(value));
}

/** RFC 8785 is the output of JSON.stringify with members sorted by the UTF-16 units of their names. */
function canonical(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member !== undefined) members += `${members && ','}${JSON.stringify(name)}:${canonical(member)}`;
  }
  return `{${members}}`;
}
