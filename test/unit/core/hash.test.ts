import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashJson, sha256 } from '../../../src/core/hash.ts';
import type { Json } from '../../../src/core/record.ts';

test('sha256 is that of FIPS 180-4', () => {
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256('abc')).toBe(digest);
  expect(sha256(Buffer.from('abc'))).toBe(digest);
});

test('hashJson hashes the canonical form of RFC 8785', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
      expect(hashJson(value as Json)).toBe(sha256(canonicalize(value) ?? ''));
    }),
  );
});

test('the order of members does not matter, that of items does', () => {
  expect(hashJson({ 10: 1, 9: [1, 2], é: null })).toBe(hashJson({ é: null, 9: [1, 2], 10: 1 }));
  expect(hashJson([1, 2])).not.toBe(hashJson([2, 1]));
});
