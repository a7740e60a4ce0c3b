import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than somebody who finds the write lock of SQLite taken waits before trying again. */
const SHORTEST_PAUSE_MS = 20;

/** One piece of a work: how much of it was done, and whether nothing is left. */
export interface Piece {
  done: number;
  isLast: boolean;
}

/**
 * Does a work in pieces until nothing is left or the signal ends it, and answers how much was done. Between two pieces
 * the others have the database for as long as the last one took.
 */
export async function patiently(signal: AbortSignal, doPiece: () => Promise<Piece>): Promise<number> {
  let sum = 0;
  while (!signal.aborted) {
    const begunAt = performance.now();
    const { done, isLast } = await doPiece();
    sum += done;
    if (isLast) break;
    await sleep(Math.max(SHORTEST_PAUSE_MS, performance.now() - begunAt), undefined, { signal }).catch(() => {});
  }
  return sum;
}
