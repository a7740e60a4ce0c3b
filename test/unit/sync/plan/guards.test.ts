import { describe, expect, test } from 'vitest';
import type { MissingRule, SyncConfig } from '../../../../src/config/types.ts';
import type { ShownMeasure } from '../../../../src/sync/measure/measure-changes.ts';
import { judgeCreates, judgePlan } from '../../../../src/sync/plan/guards.ts';
import { noneMissing } from '../../../../src/sync/plan/missing-records.ts';

type ChangesRule = SyncConfig['changes'];

const measures: ShownMeasure[] = [];
const plan = { counts: { read: 1 }, deliveredBefore: 12, missing: noneMissing, measures };

function judge(differing: Partial<typeof plan> = {}, missing: MissingRule = { policy: 'keep' }, changes?: ChangesRule) {
  return judgePlan({ ...plan, ...differing }, { name: 's', resource: 'events', missing, changes });
}

test('An empty feed is held if records were delivered before', () => {
  expect(judge({ counts: { read: 0 } })).toEqual({ error: expect.objectContaining({ code: 'FF_GUARD_EMPTY' }) });
  expect(judge({ counts: { read: 0 }, deliveredBefore: 0 })).toBeUndefined();
  expect(judge()).toBeUndefined();
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

  test('One missing record is reported in the singular', () => {
    const message = judge({ missing: removals(1, 2) }, rule({ percent: 25 }))?.error.message;
    expect(message).toMatch(/^1 of the 2 records expected in ".*" \(50 %\) is missing from the feed/);
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

describe('Changes of published records', () => {
  const measure = (rule: ShownMeasure['rule'], records: number, of: number, more: Partial<ShownMeasure> = {}) => {
    return { rule, records, of, ...more };
  };
  const codeOf = (each: ShownMeasure, changes?: ChangesRule) =>
    judge({ measures: [each] }, undefined, changes)?.error.code;

  test.each<[string, ShownMeasure, ShownMeasure]>([
    ['changes of any attribute', measure('threshold', 50, 100), measure('threshold', 51, 100)],
    ['changes of few records', measure('threshold', 19, 19), measure('threshold', 11, 20)],
    ['changes of title, day or time', measure('core', 20, 100), measure('core', 21, 100)],
    ['emptied values', measure('emptied', 25, 100), measure('emptied', 26, 100)],
    ['few emptied values', measure('emptied', 3, 5), measure('emptied', 4, 5)],
    ['garbled values', measure('garbled', 50, 100), measure('garbled', 51, 100)],
    ['few garbled values', measure('garbled', 2, 2), measure('garbled', 3, 3)],
    ['changed keys', measure('churn', 50, 100, { fresh: 50 }), measure('churn', 51, 100, { fresh: 51 })],
    ['few changed keys', measure('churn', 4, 4, { fresh: 4 }), measure('churn', 5, 5, { fresh: 5 })],
  ])('%s: up to the limit they pass, beyond it they are held, unless the limit is off', (_, within, beyond) => {
    expect(codeOf(within)).toBeUndefined();
    expect(codeOf(beyond)).toMatch(/^FF_GUARD_(CHANGES|CHURN)$/);
    expect(codeOf(beyond, { [beyond.rule]: false })).toBeUndefined();
    expect(codeOf(beyond, { [beyond.rule]: { percent: 100 } })).toBeUndefined();
  });

  test('a limit on all changes is one on those of title, day and time, too, unless these have their own', () => {
    const core = measure('core', 60, 100);
    expect(codeOf(core, { threshold: { percent: 70 } })).toBeUndefined();
    expect(codeOf(core, { threshold: false })).toBeUndefined();
    expect(codeOf(core, { threshold: { percent: 70 }, core: { percent: 10 } })).toBe('FF_GUARD_CHANGES');
    expect(codeOf(measure('core', 3, 5), { threshold: { atLeast: 5 } })).toBe('FF_GUARD_CHANGES');
    expect(codeOf(measure('threshold', 5, 5), { threshold: { atLeast: 5 } })).toBe('FF_GUARD_CHANGES');
  });

  test('are reported with an example; those of accounts without values', () => {
    const example = { key: 'T1', attribute: 'title', from: 'Talk', to: 'Lunch' };
    const all = [measure('threshold', 60, 100, { example }), measure('core', 60, 100, { shift: '+1 hour' })];
    expect(judge({ measures: all })).toMatchObject({
      error: {
        code: 'FF_GUARD_CHANGES',
        message:
          '60 of the 100 published records in the feed of "s" have changed (60 %), more than the limit of 50 %. ' +
          'For example "T1": title "Talk" → "Lunch". Nothing was changed.',
      },
      heldFor: ['update'],
    });
    const accounts = { name: 's', resource: 'accounts', missing: { policy: 'keep' } } as const;
    expect(judgePlan({ ...plan, measures: all }, accounts)?.error.message).toContain(
      'For example "T1": title. Nothing',
    );
  });

  test('are held together with missing records', () => {
    const missing = { ...noneMissing, covered: 40, missing: 20, removals: 20 };
    const threshold = { percent: 25 };
    const rule = { policy: 'delete', after: { runs: 1 }, includePast: false, threshold } as const;
    expect(judge({ missing, measures: [measure('threshold', 20, 20)] }, rule)).toMatchObject({
      error: { code: 'FF_GUARD_MISSING', message: expect.stringContaining('20 of the 20 published records') },
      heldFor: ['delete', 'mark', 'update'],
    });
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
