import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Json } from './record.ts';

/** Hex SHA-256 of bytes or UTF-8 text. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Hex SHA-256 of a JSON value in its canonical form (RFC 8785): key order does not matter. */
export function hashJson(value: Json): string {
  return sha256(canonicalize(value) ?? 'null');
}
