import { expect, test } from 'vitest';
import { zeroCounts } from '../../../src/core/run.ts';
import { decisionOn } from '../../../src/ledger/runs/decided-runs.ts';

/** A run that was held for the set "s" at a time. */
const held = (
  id: string,
  finished_at: number,
  more: { held_set?: string; isKept?: boolean; creates?: number } = {},
) => ({
  ...{ id, sync: 'talks', held_set: 's', finished_at, isKept: false },
  counts: JSON.stringify({ ...zeroCounts(), read: more.creates ?? 0 }),
  ...more,
});
const by = { doer: 'Kim', via: 'console', reason: null } as const;
const approve = (about: string, done_at: number) =>
  ({ ...by, deed: 'approve', run: `of ${about}`, about, done_at }) as const;
const reject = (run: string, done_at: number) => ({ ...by, deed: 'reject', run, about: null, done_at }) as const;

test.each([
  ['approved', [held('r1', 10)], [approve('r1', 20)], 'approved'],
  ['rejected', [held('r1', 10)], [reject('r1', 20)], 'rejected'],
  ['undecided', [held('r1', 10)], [], undefined],
  ['decided as another set', [held('r1', 10), held('r2', 12, { held_set: 't' })], [reject('r2', 20)], undefined],
  ['approved as a later run', [held('r1', 10), held('r2', 12)], [approve('r2', 20)], 'approved'],
  ['held again after a rejection', [held('r1', 30), held('r0', 10)], [reject('r0', 20)], 'rejected'],
  [
    'held again with something new',
    [held('r1', 30, { creates: 2 }), held('r0', 10, { creates: 1 })],
    [reject('r0', 20)],
    undefined,
  ],
  [
    'held again with the same news',
    [held('r1', 30, { creates: 1 }), held('r0', 10, { creates: 1 })],
    [reject('r0', 20)],
    'rejected',
  ],
  ['held again after an approval', [held('r1', 30), held('r0', 10)], [approve('r0', 20)], undefined],
  ['held again after both', [held('r1', 40), held('r0', 10)], [reject('r0', 20), approve('r0', 30)], undefined],
  [
    'rejected, and approved as a later run',
    [held('r1', 10), held('r2', 25)],
    [reject('r1', 20), approve('r2', 30)],
    'rejected',
  ],
  ['approved, but kept', [held('r1', 10, { isKept: true })], [approve('r1', 20)], undefined],
  ['approved, and held later', [held('r1', 10), held('r2', 30, { isKept: true })], [approve('r1', 20)], 'approved'],
] as const)('A run that was %s', (_name, known, deeds, decision) => {
  expect(decisionOn(known[0], known, deeds)?.is).toBe(decision);
});

test('A decision says who, when, why and which run applied it', () => {
  const deed = { ...approve('r1', 20), reason: 'over' };
  expect(decisionOn(held('r1', 10), [held('r1', 10)], [deed])).toEqual({
    ...{
      is: 'approved',
      by: 'Kim',
      via: 'console',
      at: '1970-01-01T00:00:00.020Z',
      reason: 'over',
      appliedBy: 'of r1',
    },
  });
});
