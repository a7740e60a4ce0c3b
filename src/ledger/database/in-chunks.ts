import type { Clock } from '../../core/runtime/clock.ts';

/** Longer than a process waits before it tries again to take SQLite's write lock. */
const SHORTEST_PAUSE_MS = 20;

/**
 * Does work in chunks until nothing is left or the signal ends it, and returns how much was done. Pauses between chunks for as
 * long as the last chunk took, to let other writers in.
 */
export async function inChunks(
  signal: AbortSignal,
  { monotonic, sleep }: Pick<Clock, 'monotonic' | 'sleep'>,
  doChunk: () => Promise<{ done: number; isLast: boolean }>,
): Promise<number> {
  let sum = 0;
  while (!signal.aborted) {
    const begunAt = monotonic();
    const { done, isLast } = await doChunk();
    sum += done;
    if (isLast) break;
    await sleep(Math.max(SHORTEST_PAUSE_MS, monotonic() - begunAt), { signal }).catch(() => {});
  }
  return sum;
}
