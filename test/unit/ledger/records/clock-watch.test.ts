import { expect, test } from 'vitest';
import { watchClock } from '../../../../src/ledger/records/claims.ts';

/** When the clock can be trusted, after readings of the ledger's clock at moments of this process; each reading takes 100 ms. */
function trustedSince(readings: ReadonlyArray<readonly [now: number, begin: number]>): number | undefined {
  const watch = watchClock();
  return readings.map(([now, begin]) => watch({ now, begin, end: begin + 100 })).at(-1);
}

test.each([
  ['from the first reading on', [[5_000, 0]], 100],
  [
    'while it goes on as it should',
    [
      [5_000, 0],
      [6_000, 1_000],
      [66_000, 61_000],
    ],
    100,
  ],
  [
    'if it is slow or set back',
    [
      [5_000, 0],
      [4_000, 60_000],
    ],
    100,
  ],
  [
    'although a reading was late',
    [
      [5_090, 0],
      [35_000, 29_900],
    ],
    100,
  ],
  [
    'only since it was set forward',
    [
      [5_000, 0],
      [6_000, 1_000],
      [3_606_000, 1_500],
      [3_607_000, 2_500],
    ],
    1_600,
  ],
] as const)('The ledger’s clock is trusted %s', (_, readings, since) => {
  expect(trustedSince(readings)).toBe(since);
});
