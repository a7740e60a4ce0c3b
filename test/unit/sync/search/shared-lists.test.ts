import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/core/runtime/clock.ts';
import { createSharedReadings } from '../../../../src/sync/search/shared-readings.ts';

/** Readings that end when the test says so. */
function controlled() {
  const readings = createSharedReadings<number>(systemClock);
  const begun: Array<PromiseWithResolvers<number>> = [];
  const begin = () => {
    const reading = Promise.withResolvers<number>();
    begun.push(reading);
    return reading.promise;
  };
  return { begun, read: (since: number, list = 'accounts') => readings.read(list, since, begin), readings };
}

const turn = () => new Promise(setImmediate);

test('Callers share a reading during and after it', async () => {
  const { begun, read } = controlled();
  const before = performance.now();
  const first = read(before);
  const second = read(before);
  await turn();
  begun[0]?.resolve(1);
  expect(await Promise.all([first, second, read(before)])).toEqual([1, 1, 1]);
  expect(begun).toHaveLength(1);
});

test('Callers that are too late for a reading share the next one, which waits for it', async () => {
  const { begun, read, readings } = controlled();
  const early = read(performance.now());
  await turn();
  const later = performance.now();
  expect(readings.atHand('accounts', later)).toBeUndefined();
  const late = [read(later), read(performance.now())];
  await turn();
  expect(begun).toHaveLength(1);
  begun[0]?.resolve(1);
  await early;
  await turn();
  expect(begun).toHaveLength(2);
  const latest = read(performance.now());
  begun[1]?.resolve(2);
  expect(await Promise.all(late)).toEqual([2, 2]);
  await turn();
  begun[2]?.resolve(3);
  expect(await latest).toBe(3);
});

test('A failed reading fails for its waiting callers, and the next caller gets a new one', async () => {
  const { begun, read } = controlled();
  const since = performance.now();
  const both = Promise.allSettled([read(since), read(since)]);
  await turn();
  const late = read(performance.now());
  begun[0]?.reject(new Error('away'));
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await turn();
  begun[1]?.resolve(2);
  expect(await late).toBe(2);
  expect(await read(since)).toBe(2);
});

test('Different lists are read separately', async () => {
  const { begun, read } = controlled();
  const since = performance.now();
  const both = [read(since, 'accounts'), read(since, 'events')];
  await turn();
  begun[0]?.resolve(1);
  begun[1]?.resolve(2);
  expect(await Promise.all(both)).toEqual([1, 2]);
});
