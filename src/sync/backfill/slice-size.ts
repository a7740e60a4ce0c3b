/** So long another run of the sync waits for its turn at most, more or less. */
const SLICE_MS = 10_000;
const SMALLEST_SLICE = 20;
const LARGEST_SLICE = 500;
/** The next slice is no more than so many times as large as the last. */
const GROWTH = 4;

/** How many records the first slice has: nobody knows yet how fast the CMS is. */
export const FIRST_SLICE = 100;

/** How many records the next slice has, after one of `records` that took `tookMs`. */
export function nextSliceSize(records: number, tookMs: number): number {
  const inTime = Math.round((records * SLICE_MS) / Math.max(1, tookMs));
  return Math.min(LARGEST_SLICE, Math.max(SMALLEST_SLICE, Math.min(inTime, records * GROWTH)));
}
