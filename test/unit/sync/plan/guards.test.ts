import { describe, expect, test } from 'vitest';
import type { MissingRule } from '../../../../src/config/types.ts';
import { noChurn } from '../../../../src/sync/plan/changed-keys.ts';
import { judgeCreates, judgePlan } from '../../../../src/sync/plan/guards.ts';
import { noneMissing } from '../../../../src/sync/plan/missing-records.ts';

const plan = { counts: { read: 1 }, deliveredBefore: 12, churn: noChurn, missing: noneMissing };

function judge(differing: Partial<typeof plan> = {}, missing: MissingRule = { policy: 'keep' }) {
  return judgePlan({ ...plan, ...differing }, { name: 's', missing });
}

test('An empty feed is held if records were delivered before', () => {
  expect(judge({ counts: { read: 0 } })).toEqual({ error: expect.objectContaining({ code: 'FF_GUARD_EMPTY' }) });
  expect(judge({ counts: { read: 0 }, deliveredBefore: 0 })).toBeUndefined();
  expect(judge()).toBeUndefined();
});

test('A feed with changed keys is held if its records are ambiguous', () => {
  const churn = { relinked: 3, ambiguous: 2, wholeFeed: true };
  expect(judge({ churn })).toMatchObject({
    error: { code: 'FF_GUARD_CHURN' },
    heldFor: ['create', 'delete', 'mark'],
  });
  expect(judge({ churn: { ...churn, ambiguous: 0 } })).toBeUndefined();
  expect(judge({ churn: { ...churn, wholeFeed: false } })).toBeUndefined();
});

describe('Records to be deleted or marked', () => {
  const rule = (threshold: { percent?: number; absolute?: number }) => {
    return { policy: 'delete', after: { runs: 1 }, includePast: false, threshold } as const;
  };
  const removals = (count: number, covered: number) => ({ covered, missing: count, removals: count });

  test('Missing records hold the run if they exceed the percentage or the number', () => {
    const codeOf = (threshold: { percent?: number; absolute?: number }, count: number, covered: number) =>
      judge({ missing: removals(count, covered) }, rule(threshold))?.error.code;
    expect(codeOf({ percent: 25 }, 25, 100)).toBeUndefined();
    expect(codeOf({ percent: 25 }, 26, 100)).toBe('FF_GUARD_MISSING');
    expect(codeOf({ absolute: 10 }, 10, 10)).toBeUndefined();
    expect(codeOf({ absolute: 10 }, 11, 1000)).toBe('FF_GUARD_MISSING');
    expect(codeOf({ percent: 50, absolute: 10 }, 11, 1000)).toBe('FF_GUARD_MISSING');
    expect(codeOf({ percent: 0 }, 1, 1000)).toBe('FF_GUARD_MISSING');
    expect(codeOf({ percent: 0 }, 0, 1000)).toBeUndefined();
  });

  test('Missing records are reported with their share, and can be approved', () => {
    const verdict = judge({ missing: removals(6, 12) }, rule({ percent: 25 }));
    expect(verdict?.heldFor).toEqual(['delete', 'mark']);
    expect(verdict?.error.message).toContain('6 of the 12 records expected in');
  });

  test('Missing records that are kept do not hold the run', () => {
    expect(judge({ missing: { covered: 10, missing: 10, removals: 0 } })).toBeUndefined();
  });
});

test('A first run is held if it would double more than three items, or if the list of the CMS is incomplete', () => {
  const duplicates = ['T1', 'T2', 'T3', 'T4'].map((key, index) => ({ key, cmsId: 41 + index }));
  const talks = { name: 'talks', resource: 'events' as const };
  expect(judgeCreates({ duplicates: duplicates.slice(1), unshown: 0 }, talks)).toBeUndefined();
  expect(judgeCreates({ duplicates, unshown: 7 }, talks)).toMatchObject({
    error: { code: 'FF_GUARD_DUPLICATES', message: expect.stringContaining('"T1" is like item 41') },
    heldFor: ['create'],
  });
  expect(judgeCreates({ duplicates: [], unshown: 7 }, talks)).toMatchObject({
    error: { code: 'FF_CMS_UNPROVEN', message: expect.stringContaining('7 items') },
    heldFor: ['create'],
  });
});
