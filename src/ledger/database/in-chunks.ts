import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than a process that finds SQLite's write lock taken waits before it tries again. */
const SHORTEST_PAUSE_MS = 20;

/**
 * Does work in chunks until nothing is left or the signal ends it, and returns how much was done. Pauses between chunks for as
 * long as the last one took, to let other writers in.
 */
export async function inChunks(
  signal: AbortSignal,
  doChunk: () => Promise<{ done: number; isLast: boolean }>,
): Promise<number> {
  let sum = 0;
  while (!signal.aborted) {
    const begunAt = performance.now();
    const { done, isLast } = await doChunk();
    sum += done;
    if (isLast) break;
    await sleep(Math.max(SHORTEST_PAUSE_MS, performance.now() - begunAt), undefined, { signal }).catch(() => {});
  }
  return sum;
}
