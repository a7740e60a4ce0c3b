import { expect, test } from 'vitest';
import { nextSliceSize } from '../../../../src/sync/backfill/run-slices.ts';

test('A slice takes about ten seconds', () => {
  expect(nextSliceSize(100, 5_000)).toBe(200);
  expect(nextSliceSize(200, 20_000)).toBe(100);
});

test('The slice size changes gradually and stays within its limits', () => {
  expect(nextSliceSize(100, 10)).toBe(400);
  expect(nextSliceSize(400, 10)).toBe(500);
  expect(nextSliceSize(100, 600_000)).toBe(20);
  expect(nextSliceSize(1, 0)).toBe(20);
});
