import { expect, test } from 'vitest';
import { systemRuntime } from '../../../src/core/runtime/runtime.ts';
import type { PermitLease } from '../../../src/ledger/target/target-state.ts';
import { createLeasedShare } from '../../../src/limits/leased-share.ts';
import type { SeenState, TargetView } from '../../../src/limits/target-view.ts';

const LEASE_MS = 6_000;

/** A target whose ledger and process have clocks that the test sets. */
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
  const options = {
    limit: 'inFlight',
    periodMs: 0,
    background: false,
    total: () => 4,
    inUse: () => 0,
    runtime,
  } as const;
  const pass = (ms: number) => {
    clocks.ledger += ms;
    clocks.process += ms;
  };
  return { clocks, pass, share: createLeasedShare(view, options), permits: () => permits };
}

test('A share is renewed after the clock of the ledger was set back', async () => {
  const { clocks, pass, share } = target();
  await share.renew(4);
  clocks.ledger -= 3_600_000;
  pass(LEASE_MS);
  expect(share.allowance().until).toBeLessThanOrEqual(clocks.process);
  await share.renew(4);
  expect(share.allowance()).toEqual({ permits: 4, until: clocks.process + LEASE_MS });
});

test('A lease from before the clock of the ledger was set back ends as late as any other', async () => {
  const other = { limit: 'inFlight', holder: 'other', granted: 3, wanted: 3, background: false } as const;
  const { clocks, pass, share, permits } = target([{ ...other, until: 1_000_000 + LEASE_MS }]);
  clocks.ledger -= 3_600_000;
  await share.renew(4);
  expect(share.allowance().permits).toBe(1);
  pass(LEASE_MS + 1);
  await share.renew(4);
  expect(share.allowance().permits).toBe(4);
  expect(permits().map(({ holder }) => holder)).not.toContain('other');
});
