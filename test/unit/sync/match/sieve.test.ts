import { expect, test } from 'vitest';
import { createSieve } from '../../../../src/sync/match/sieve.ts';

test('A sieve recognises all texts that it was given, and hardly any others', () => {
  const sieve = createSieve(20_000);
  expect(sieve.isEmpty()).toBe(true);
  for (let index = 0; index < 20_000; index++) sieve.add(`key ${index}`);
  expect(sieve.isEmpty()).toBe(false);
  const recognised = (from: number) =>
    Array.from({ length: 20_000 }, (_, index) => `key ${from + index}`).filter(sieve.has).length;
  expect(recognised(0)).toBe(20_000);
  expect(recognised(20_000)).toBeLessThan(5);
});
