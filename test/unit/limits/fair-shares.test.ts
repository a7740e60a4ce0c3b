import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Share, shareOf as shareAt } from '../../../src/limits/leased-share.ts';

interface Others {
  before: Share[];
  after: Share[];
}

const noOthers: Others = { before: [], after: [] };
const share = (granted: number, wanted: number, background = false): Share => ({ granted, wanted, background });
const demand = (wanted: number, background = false) => share(0, wanted, background);
const shareOf = (total: number, mine: Share, { before, after }: Others, turn = 0) =>
  shareAt(total, [...before, mine, ...after], before.length, turn);

test('A single process gets what it wants, up to the total', () => {
  expect([1, 8, 20].map((wanted) => shareOf(8, demand(wanted), noOthers))).toEqual([1, 8, 8]);
});

test('Two processes that want everything share it as soon as the first releases permits', () => {
  const first = share(8, 8);
  expect(shareOf(8, demand(8), { before: [first], after: [] })).toBe(0);
  expect(shareOf(8, demand(8), { before: [], after: [share(0, 8)] })).toBe(4);
  expect(shareOf(8, demand(8), { before: [share(4, 8)], after: [] })).toBe(4);
});

test('Permits that one process does not want go to the other', () => {
  const modest = share(1, 1);
  expect(shareOf(8, demand(8), { before: [modest], after: [] })).toBe(7);
});

test('Processes take turns if there are fewer permits than processes', () => {
  expect(shareOf(1, demand(5), { before: [share(1, 5)], after: [] })).toBe(0);
  const second = { before: [share(0, 5)], after: [] };
  const first = { before: [], after: [share(0, 5)] };
  expect([0, 1, 2].map((turn) => shareOf(1, demand(5), first, turn))).toEqual([1, 0, 1]);
  expect([0, 1, 2].map((turn) => shareOf(1, demand(5), second, turn))).toEqual([0, 1, 0]);
  expect([0, 1].map((turn) => shareOf(3, demand(5), second, turn))).toEqual([1, 2]);
});

describe('Background processes', () => {
  test('A single background process gets all that it wants', () => {
    expect(shareOf(8, demand(20, true), noOthers)).toBe(8);
  });

  test('A background process gets the remaining permits, and at least one', () => {
    const after = (wanted: number) => ({ before: [share(0, wanted)], after: [] });
    expect([0, 3, 7, 20].map((wanted) => shareOf(8, demand(20, true), after(wanted)))).toEqual([8, 5, 1, 1]);
    expect(shareOf(8, demand(20), { before: [share(1, 20, true)], after: [] })).toBe(7);
  });

  test('A single permit goes to the foreground', () => {
    expect(shareOf(1, demand(5, true), { before: [share(0, 5)], after: [] })).toBe(0);
    expect(shareOf(1, demand(5), { before: [share(0, 5, true)], after: [] })).toBe(1);
  });
});

interface Step {
  who: number;
  use: number;
  wanted: number;
  turn: number;
}

test('The processes never hold more than the total, in any order of balancing', () => {
  const step: fc.Arbitrary<Step> = fc.record({
    who: fc.nat(3),
    use: fc.double({ min: 0, max: 1, noNaN: true }),
    wanted: fc.nat(20),
    turn: fc.nat(5),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 16 }), fc.array(step, { maxLength: 60 }), (total, steps) => {
      const shares: Share[] = Array.from({ length: 4 }, (_, who) => share(0, 0, who === 3));
      for (const { who, use, wanted, turn } of steps) {
        const inUse = Math.floor((shares[who]?.granted ?? 0) * use);
        const others = { before: shares.slice(0, who), after: shares.slice(who + 1) };
        const mine = demand(inUse + wanted, who === 3);
        const granted = Math.max(shareOf(total, mine, others, turn), inUse);
        shares[who] = { ...mine, granted };
        expect(shares.reduce((sum, { granted }) => sum + granted, 0)).toBeLessThanOrEqual(total);
      }
    }),
  );
});

test('Every process has a fair share of what it wants after two rounds', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 16 }),
      fc.array(fc.nat(20), { minLength: 1, maxLength: 5 }),
      (total, wants) => {
        const shares: Share[] = wants.map((wanted) => share(0, wanted));
        for (let round = 0; round < 2; round++) {
          for (const [who, wanted] of wants.entries()) {
            const others = { before: shares.slice(0, who), after: shares.slice(who + 1) };
            shares[who] = share(shareOf(total, demand(wanted), others), wanted);
          }
        }
        const fair = Math.floor(total / wants.length);
        for (const { granted, wanted } of shares) expect(granted).toBeGreaterThanOrEqual(Math.min(wanted, fair));
      },
    ),
  );
});

test('The background has the permits that the foreground leaves after two rounds', () => {
  const process = fc.record({ granted: fc.constant(0), wanted: fc.nat(20), background: fc.boolean() });
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 16 }),
      fc.array(process, { minLength: 1, maxLength: 5 }),
      (total, processes) => {
        const shares = processes.map(({ wanted, background }) => share(0, wanted, background));
        for (let round = 0; round < 2; round++) {
          for (const [who, mine] of processes.entries()) {
            const others = { before: shares.slice(0, who), after: shares.slice(who + 1) };
            shares[who] = { ...mine, granted: shareOf(total, mine, others) };
          }
        }
        const sum = (numbers: number[]) => numbers.reduce((one, other) => one + other, 0);
        const of = (background: boolean) => shares.filter((each) => each.background === background);
        const wanted = (background: boolean) => sum(of(background).map((each) => each.wanted));
        const granted = (background: boolean) => sum(of(background).map((each) => each.granted));
        const kept = Math.min(1, wanted(true));
        expect(granted(false)).toBe(Math.min(wanted(false), total - kept));
        expect(granted(true)).toBe(Math.min(wanted(true), total - granted(false)));
      },
    ),
  );
});
