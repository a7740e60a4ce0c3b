import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemRuntime } from '../../../src/core/runtime/runtime.ts';
import type { PermitLease } from '../../../src/ledger/target/target-state.ts';
import { createLeasedShare, type ShareOptions, shareOf } from '../../../src/limits/leased-share.ts';
import type { SeenState, TargetView } from '../../../src/limits/target-view.ts';

const LEASE_MS = 6_000;

/** A target whose ledger and processes have clocks that the test sets. */
function target(others: PermitLease[] = []) {
  const clocks = { ledger: 1_000_000, process: 0 };
  let permits: readonly PermitLease[] = others;
  const state = () => ({ now: clocks.ledger, readAt: clocks.process, permits }) as SeenState;
  const view = {
    look: async () => state(),
    last: state,
    ledgerTime: ({ now }: SeenState) => now,
    replacePermits: async (_seen: SeenState, next: readonly PermitLease[]) => {
      permits = next;
      return true;
    },
  } as Partial<TargetView> as TargetView;
  const runtime = { ...systemRuntime, monotonic: () => clocks.process, isGone: () => false };
  const shareOfProcess = (options: Partial<ShareOptions> = {}) =>
    createLeasedShare(view, {
      ...{ limit: 'inFlight', periodMs: 0, total: () => 4, inUse: () => 0, runtime },
      ...options,
    });
  const pass = (ms: number) => {
    clocks.ledger += ms;
    clocks.process += ms;
  };
  return { clocks, pass, shareOfProcess, permits: () => permits };
}

test('A total is divided equally, and the processes take turns with what cannot be', () => {
  fc.assert(
    fc.property(fc.nat(20), fc.integer({ min: 1, max: 6 }), fc.nat(1000), (total, processes, turn) => {
      const each = Array.from({ length: processes }, (_, index) => index);
      const shares = each.map((index) => shareOf(total, processes, index, turn));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      const overTurns = each.map((later) => shareOf(total, processes, 0, turn + later));
      expect(overTurns.reduce((sum, share) => sum + share, 0)).toBe(total);
    }),
  );
});

interface Step {
  who: number;
  does: 'renew' | 'send' | 'end' | 'give back' | 'wait';
}

test('All processes together never have more permits than there are, and each gets its share, in any order of steps', async () => {
  const step: fc.Arbitrary<Step> = fc.record({
    who: fc.nat(3),
    does: fc.constantFrom('renew', 'send', 'end', 'give back', 'wait'),
  });
  const totals = fc.integer({ min: 4, max: 16 });
  await fc.assert(
    fc.asyncProperty(totals, fc.array(step, { maxLength: 80, size: 'max' }), async (total, steps) => {
      const { pass, shareOfProcess, permits } = target();
      const processes = Array.from({ length: 4 }, () => {
        const requests = { inUse: 0 };
        return { requests, share: shareOfProcess({ total: () => total, inUse: () => requests.inUse }) };
      });
      const granted = () => permits().reduce((sum, lease) => sum + lease.granted, 0);
      for (const { who, does } of steps) {
        const { requests, share } = processes[who]!;
        if (does === 'renew') await share.renew();
        if (does === 'send') requests.inUse = Math.max(requests.inUse, share.allowance().permits);
        if (does === 'end' && requests.inUse > 0) requests.inUse -= 1;
        if (does === 'give back' && requests.inUse === 0) await share.giveBack();
        if (does === 'wait') {
          pass(1_000);
          for (const each of processes) if (each.share.isLeased()) await each.share.renew();
        }
        expect(granted()).toBeLessThanOrEqual(total);
        expect(processes.reduce((sum, { requests: { inUse } }) => sum + inUse, 0)).toBeLessThanOrEqual(total);
      }
      for (const { requests } of processes) requests.inUse = 0;
      for (const { share } of [...processes, ...processes, ...processes]) await share.renew();
      for (const { share } of processes)
        expect(share.allowance().permits).toBeGreaterThanOrEqual(Math.floor(total / 4));
    }),
  );
});

test('What a process gives back is free for others at once, and permits of a rate after their period', async () => {
  for (const periodMs of [0, 1_000]) {
    const { pass, shareOfProcess } = target();
    const [first, second] = [shareOfProcess({ periodMs }), shareOfProcess({ periodMs })];
    await first.renew();
    await first.giveBack();
    await second.renew();
    expect(second.allowance().permits).toBe(periodMs === 0 ? 4 : 0);
    pass(periodMs);
    await second.renew();
    expect(second.allowance().permits).toBe(4);
  }
});

test('A process that dies frees its share when its lease ends', async () => {
  const { pass, shareOfProcess } = target();
  const [dead, alive] = [shareOfProcess(), shareOfProcess()];
  await dead.renew();
  await alive.renew();
  await dead.renew();
  await alive.renew();
  expect(alive.allowance().permits).toBe(2);
  pass(LEASE_MS + 1);
  await alive.renew();
  expect(alive.allowance().permits).toBe(4);
});

test('A share is renewed after the clock of the ledger was set back', async () => {
  const { clocks, pass, shareOfProcess } = target();
  const share = shareOfProcess();
  await share.renew();
  clocks.ledger -= 3_600_000;
  pass(LEASE_MS);
  expect(share.allowance().until).toBeLessThanOrEqual(clocks.process);
  await share.renew();
  expect(share.allowance()).toEqual({ permits: 4, until: clocks.process + LEASE_MS });
});

test('A lease from before the clock of the ledger was set back ends as late as any other', async () => {
  const other = { limit: 'inFlight', holder: 'other', granted: 3 } as const;
  const { clocks, pass, shareOfProcess, permits } = target([{ ...other, until: 1_000_000 + LEASE_MS }]);
  const share = shareOfProcess();
  clocks.ledger -= 3_600_000;
  await share.renew();
  expect(share.allowance().permits).toBe(1);
  pass(LEASE_MS + 1);
  await share.renew();
  expect(share.allowance().permits).toBe(4);
  expect(permits().map(({ holder }) => holder)).not.toContain('other');
});
