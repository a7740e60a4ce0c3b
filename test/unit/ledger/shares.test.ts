import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Share, shareOf } from '../../../src/ledger/shares.ts';

const nobody = { before: [], after: [] };

test('a process alone gets what it wants, as far as there is so much', () => {
  expect([1, 8, 20].map((wanted) => shareOf(8, wanted, nobody))).toEqual([1, 8, 8]);
});

test('two that want all of it share it, as soon as the first gives back', () => {
  const first = { granted: 8, wanted: 8 };
  expect(shareOf(8, 8, { before: [first], after: [] })).toBe(0);
  expect(shareOf(8, 8, { before: [], after: [{ granted: 0, wanted: 8 }] })).toBe(4);
  expect(shareOf(8, 8, { before: [{ granted: 4, wanted: 8 }], after: [] })).toBe(4);
});

test('what one does not want the other gets', () => {
  const modest = { granted: 1, wanted: 1 };
  expect(shareOf(8, 8, { before: [modest], after: [] })).toBe(7);
});

test('of fewer permits than processes, those that came first have some', () => {
  const others: Share[] = [{ granted: 1, wanted: 5 }];
  expect(shareOf(1, 5, { before: others, after: [] })).toBe(0);
  expect(shareOf(1, 5, { before: [], after: [{ granted: 0, wanted: 5 }] })).toBe(1);
});

interface Step {
  who: number;
  use: number;
  wanted: number;
}

test('property: whoever balances when, never more than the total is granted', () => {
  const step: fc.Arbitrary<Step> = fc.record({
    who: fc.nat(3),
    use: fc.double({ min: 0, max: 1, noNaN: true }),
    wanted: fc.nat(20),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 16 }), fc.array(step, { maxLength: 60 }), (total, steps) => {
      const shares: Share[] = Array.from({ length: 4 }, () => ({ granted: 0, wanted: 0 }));
      for (const { who, use, wanted } of steps) {
        const inUse = Math.floor((shares[who]?.granted ?? 0) * use);
        const others = { before: shares.slice(0, who), after: shares.slice(who + 1) };
        const share = shareOf(total, inUse + wanted, others);
        shares[who] = { granted: Math.max(share, inUse), wanted: inUse + wanted };
        expect(shares.reduce((sum, { granted }) => sum + granted, 0)).toBeLessThanOrEqual(total);
      }
    }),
  );
});

test('property: after two rounds everybody has a fair share of what he wants', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 16 }),
      fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
      (total, wants) => {
        const shares: Share[] = wants.map((wanted) => ({ granted: 0, wanted }));
        for (let round = 0; round < 2; round++) {
          for (const [who, wanted] of wants.entries()) {
            const others = { before: shares.slice(0, who), after: shares.slice(who + 1) };
            shares[who] = { granted: shareOf(total, wanted, others), wanted };
          }
        }
        const fair = Math.floor(total / wants.length);
        for (const { granted, wanted } of shares) expect(granted).toBeGreaterThanOrEqual(Math.min(wanted, fair));
      },
    ),
  );
});
