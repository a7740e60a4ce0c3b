import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAfterMs, retryDelay } from '../../../src/core/retry.ts';
import { systemClock } from '../../../src/core/runtime/clock.ts';

const policy = { maxAttempts: 5, backoffMs: 1000, maxBackoffMs: 10_000 };

test('The pause doubles up to its maximum', () => {
  const longest = { random: () => 1 };
  expect([1, 2, 3, 4, 5, 6].map((attempt) => retryDelay(attempt, policy, longest))).toEqual([
    1000, 2000, 4000, 8000, 10_000, 10_000,
  ]);
});

test('The pause is never shorter than the CMS asked for', () => {
  expect(retryDelay(1, policy, systemClock, 60_000)).toBe(60_000);
});

test.each([
  ['30', 30_000],
  ['315360000', 900_000],
  ['Sun, 06 Nov 2044 08:49:37 GMT', 900_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ['soon', undefined],
])('Retry-After: %s is a pause of %s ms', (header, pause) => {
  expect(retryAfterMs(header, Date.now())).toBe(pause);
});

test('Jitter keeps the pause between half and the whole', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
      const full = Math.min(10_000, 1000 * 2 ** (attempt - 1));
      const delay = retryDelay(attempt, policy, { random: () => random });
      expect(delay).toBeGreaterThanOrEqual(full / 2 - 1);
      expect(delay).toBeLessThanOrEqual(full);
    }),
  );
});
