import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTicks } from '../../../../src/app/service/service.ts';

describe('The ticks of a service', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test('A look that takes long is not begun again, and does not delay the others', async () => {
    const first = Promise.withResolvers<void>();
    const slow = vi.fn(() => first.promise);
    const quick = vi.fn(async () => {});
    const stop = startTicks([slow, quick], 100);
    await vi.advanceTimersByTimeAsync(350);
    expect([slow.mock.calls.length, quick.mock.calls.length]).toEqual([1, 3]);

    first.resolve();
    await vi.advanceTimersByTimeAsync(100);
    expect([slow.mock.calls.length, quick.mock.calls.length]).toEqual([2, 4]);
    await stop();
  });

  test('They end when the looks in progress are over', async () => {
    const look = Promise.withResolvers<void>();
    const begin = vi.fn(() => look.promise);
    const stop = startTicks([begin], 100);
    await vi.advanceTimersByTimeAsync(100);
    const ended = vi.fn();
    const stopped = stop().then(ended);
    await vi.advanceTimersByTimeAsync(500);
    expect(ended).not.toHaveBeenCalled();

    look.resolve();
    await stopped;
    await vi.advanceTimersByTimeAsync(500);
    expect(begin).toHaveBeenCalledOnce();
  });
});
