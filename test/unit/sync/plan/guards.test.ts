import { describe, expect, test } from 'vitest';
import type { MissingRule, SyncConfig } from '../../../../src/config/types.ts';
import { noChurn } from '../../../../src/sync/plan/changed-keys.ts';
import { judgeCreates, judgePlan } from '../../../../src/sync/plan/guards.ts';
import { noneMissing } from '../../../../src/sync/plan/missing-records.ts';
import { isRewritten, noRewrites } from '../../../../src/sync/plan/rewrites.ts';

type ChangesRule = SyncConfig['changes'];

const plan = { counts: { read: 1 }, deliveredBefore: 12, churn: noChurn, missing: noneMissing, rewrites: noRewrites };

function judge(differing: Partial<typeof plan> = {}, missing: MissingRule = { policy: 'keep' }, changes?: ChangesRule) {
  return judgePlan({ ...plan, ...differing }, { name: 's', missing, changes });
}

test('An empty feed is held if records were delivered before', () => {
  expect(judge({ counts: { read: 0 } })).toEqual({ error: expect.objectContaining({ code: 'FF_GUARD_EMPTY' }) });
  expect(judge({ counts: { read: 0 }, deliveredBefore: 0 })).toBeUndefined();
  expect(judge()).toBeUndefined();
});

test('A feed with changed keys is held if its records are ambiguous', () => {
  const churn = { relinked: 3, rescheduled: 0, ambiguous: 2, wholeFeed: true };
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
  const removals = (count: number, covered: number) => ({ ...noneMissing, covered, missing: count, removals: count });

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
    expect(judge({ missing: { ...noneMissing, covered: 10, missing: 10 } })).toBeUndefined();
  });

  test('What was removed in the last days counts towards the threshold', () => {
    const heldAfter = (removedBefore: number, threshold: { percent?: number; absolute?: number }) =>
      judge({ missing: { ...removals(10, 80), removedBefore } }, rule(threshold))?.error.message;
    expect(heldAfter(13, { percent: 25 })).toBeUndefined();
    expect(heldAfter(20, { percent: 25 })).toContain(
      'With the 20 that were removed in the last 7 days, these are 30 (30 %)',
    );
    expect(heldAfter(10, { absolute: 20 })).toBeUndefined();
    expect(heldAfter(11, { absolute: 20 })).toContain('more than the limit of 20');
    expect(
      judge({ missing: { ...noneMissing, covered: 80, removedBefore: 90 } }, rule({ percent: 25 })),
    ).toBeUndefined();
  });
});

describe('Records that the feed rewrites', () => {
  const rewrites = (rewritten: number, published: number) => ({ published, rewritten, moved: 0, isSameConfig: true });

  test('hold the run if they are more than half of at least 20', () => {
    expect(judge({ rewrites: rewrites(50, 100) })).toBeUndefined();
    expect(judge({ rewrites: rewrites(51, 100) })).toMatchObject({
      error: { code: 'FF_GUARD_CHANGES', message: expect.stringContaining('51 of the 100 published records') },
      heldFor: ['update'],
    });
    expect(judge({ rewrites: rewrites(19, 19) })).toBeUndefined();
    expect(judge({ rewrites: rewrites(20, 20) })).toBeDefined();
  });

  test('pass after a change of the config, and within another threshold', () => {
    expect(judge({ rewrites: { ...rewrites(20, 20), isSameConfig: false } })).toBeUndefined();
    expect(judge({ rewrites: rewrites(20, 20) }, undefined, { threshold: { percent: 100 } })).toBeUndefined();
    expect(judge({ rewrites: rewrites(5, 5) }, undefined, { threshold: { atLeast: 5 } })).toBeDefined();
  });

  test('hold the run together with missing ones', () => {
    const missing = { ...noneMissing, covered: 40, missing: 20, removals: 20 };
    const threshold = { percent: 25 };
    const rule = { policy: 'delete', after: { runs: 1 }, includePast: false, threshold } as const;
    expect(judge({ missing, rewrites: rewrites(20, 20) }, rule)).toMatchObject({
      error: { code: 'FF_GUARD_MISSING', message: expect.stringContaining('20 of the 20 published records') },
      heldFor: ['delete', 'mark', 'update'],
    });
  });

  test('change in more than half of what was delivered of them', () => {
    const payload = { title: 'a', date: 'b', notice: 'c', isFeatured: false, endDate: null, source_key: 's:1' };
    const known = { payload, fingerprints: { image: 'd' }, isUnconfirmed: false };
    const isOne = (changed: string[], more = {}) =>
      isRewritten({ op: 'update', changed }, { ...known, ...more }, 'source_key');
    expect(isOne(['title', 'date', 'image'])).toBe(true);
    expect(isOne(['title', 'date'])).toBe(false);
    expect(isOne(['title', 'date', 'time', 'place'])).toBe(false);
    expect(isOne(['title', 'date', 'image'], { isUnconfirmed: true })).toBe(false);
    expect(isRewritten({ op: 'skipped' }, known)).toBe(false);
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
