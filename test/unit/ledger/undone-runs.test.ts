import { expect, test } from 'vitest';
import { zeroCounts } from '../../../src/core/run.ts';
import { undoingBy } from '../../../src/ledger/runs/undone-runs.ts';

const undo = (id: string, status: 'success' | 'partial' | 'failed', deleted: number) => ({
  id,
  status,
  counts: JSON.stringify({ ...zeroCounts(), deleted }),
});

test.each([
  ['was not undone', [], undefined],
  ['was undone', [undo('u1', 'success', 10)], { undone: true, undoneBy: 'u1' }],
  ['was undone in part', [undo('u1', 'partial', 4)], { undonePartly: true, undoneBy: 'u1' }],
  [
    'was undone in part, and then the rest',
    [undo('u2', 'success', 6), undo('u1', 'failed', 4)],
    { undone: true, undoneBy: 'u2' },
  ],
  ['has an undo that changed nothing', [undo('u1', 'failed', 0)], undefined],
])('A run that %s', (_, undos, expected) => {
  expect(undoingBy(undos)).toEqual(expected);
});
