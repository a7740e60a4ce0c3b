import { expect, test } from 'vitest';
import { systemClock } from '../../../../src/core/runtime/clock.ts';
import { groupCommit } from '../../../../src/ledger/database/group-commit.ts';

test('Concurrent writes share a commit, and each has its own result', async () => {
  const groups: number[][] = [];
  const write = async (items: number[]) => {
    groups.push(items);
    return items.map((item) => item * 2);
  };
  const commit = groupCommit(write, systemClock, { gatherMs: 1, longest: 3 });
  expect(await Promise.all([1, 2, 3, 4].map(commit))).toEqual([2, 4, 6, 8]);
  expect(groups).toEqual([[1, 2, 3], [4]]);
});

test('A failed write does not affect the others', async () => {
  const written: number[] = [];
  const write = async (items: number[]) => {
    if (items.includes(2)) throw new Error('not this one');
    written.push(...items);
    return items;
  };
  const commit = groupCommit(write, systemClock, { gatherMs: 1, longest: 10 });
  const results = await Promise.allSettled([1, 2, 3].map(commit));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(written).toEqual([1, 3]);
  expect(await commit(4)).toBe(4);
});
