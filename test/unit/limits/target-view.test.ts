import { expect, test } from 'vitest';
import type { TargetState, TargetStore } from '../../../src/ledger/target/target-state.ts';
import { createTargetView } from '../../../src/limits/target-view.ts';

/** A target that requests may be sent to, and the view of a process whose readings end when the test says. */
function target() {
  let state = { epoch: 1, now: 0, permits: [] } as Partial<TargetState> as TargetState;
  const readings: Array<() => void> = [];
  const store = {
    look: () => {
      const found = state;
      return new Promise<TargetState>((resolve) => readings.push(() => resolve(found)));
    },
    replacePermits: async () => true,
  } as Partial<TargetStore> as TargetStore;
  const view = createTargetView(store, 'site', { monotonic: () => 0 });
  const stop = () => {
    state = { ...state, epoch: 2, stop: { credentials: 'ours', code: 'FF_CMS_UNAUTHORIZED', reason: 'Refused.' } };
    view.forget();
  };
  const endReading = () => readings.shift()?.();
  return { view, stop, endReading };
}

test('A reading that began before the target was stopped does not open it again', async () => {
  const { view, stop, endReading } = target();
  const before = view.look();
  stop();
  const after = view.look();
  endReading();
  await before;
  endReading();
  expect((await after).epoch).toBe(2);
  expect(view.last()?.epoch).toBe(2);
});

test('Permits that are replaced while the target is stopped do not open it again', async () => {
  const { view, stop, endReading } = target();
  const looked = view.look();
  endReading();
  const replaced = view.replacePermits(await looked, []);
  stop();
  expect(await replaced).toBe(true);
  expect(view.last()).toBeUndefined();
});
