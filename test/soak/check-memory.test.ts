import { describe, expect, test } from 'vitest';
import { checkMemory } from './check-memory.ts';
import type { Sample } from './sample.ts';

const MB = 1e6;

describe('memory', () => {
  test.each([
    ['that warms up', (second: number) => ({ rss: Math.min(200, 100 + second) * MB, heap: 50 * MB })],
    [
      'that is collected now and then',
      (second: number) => ({ rss: 200 * MB, heap: (50 + ((second + 10) % 90) / 3) * MB }),
    ],
    [
      'that is given back, and taken again',
      (second: number) => ({ rss: (second < 120 ? 220 : 170 + (second - 120) / 3) * MB, heap: 50 * MB }),
    ],
  ])('%s is flat', (_, memoryAt) => {
    expect(checkMemory(samples(memoryAt))).toEqual([]);
  });

  test.each([
    ['rss', (second: number) => ({ rss: (200 + second / 4) * MB, heap: 50 * MB })],
    ['heap', (second: number) => ({ rss: 200 * MB, heap: (40 + second / 4 + (second % 20)) * MB })],
  ])('%s that grows for ever is found', (measure, memoryAt) => {
    expect(checkMemory(samples(memoryAt))).toEqual([
      { is: 'other', what: expect.stringMatching(`^memory is not flat: ${measure} of start grew `) },
    ]);
  });
});

/** A sample each second for four minutes. */
function samples(memoryAt: (second: number) => { rss: number; heap: number }): Sample[] {
  return Array.from({ length: 240 }, (_, second) => ({
    atMs: second * 1000,
    memory: { start: memoryAt(second) },
    ledgerBytes: 0,
    ledgerRows: {},
    queueJobs: 0,
    runs: { success: 0, partial: 0, failed: 0, held: 0 },
  }));
}
