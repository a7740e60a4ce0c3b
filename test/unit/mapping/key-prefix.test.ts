import { expect, test } from 'vitest';
import { compileKey } from '../../../src/mapping/key.ts';

const readKey = compileKey({ fields: ['id', 'day'], normalize: ['trim'], prefix: 'music/' });

test('A prefix stands before a key, and counts in its length', () => {
  expect(readKey({ id: ' 7 ', day: 'x' })).toBe('music/7 | x');
  const long = 'a'.repeat(600);
  expect(readKey({ id: long, day: 'x' })).toMatch(/^music\/a{429}~[\da-f]{64}$/);
  expect(readKey({ id: 'a'.repeat(490), day: 'x' })).toHaveLength(500);
});

test('A prefix is no key', () => expect(() => readKey({ id: ' ', day: '' })).toThrow('is empty'));
