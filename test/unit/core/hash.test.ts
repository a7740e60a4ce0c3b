import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashJson, sha256 } from '../../../src/core/hash.ts';
import type { Json } from '../../../src/core/record.ts';

test('The function sha256 matches FIPS 180-4', () => {
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256('abc')).toBe(digest);
  expect(sha256(Buffer.from('abc'))).toBe(digest);
});

test('The function hashJson hashes the canonical form of RFC 8785', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
      expect(hashJson(value as Json)).toBe(sha256(canonicalize(value) ?? ''));
    }),
  );
});

test('The order of items changes the hash, and the order of members does not', () => {
  expect(hashJson({ 10: 1, 9: [1, 2], é: null })).toBe(hashJson({ é: null, 9: [1, 2], 10: 1 }));
  expect(hashJson([1, 2])).not.toBe(hashJson([2, 1]));
});
