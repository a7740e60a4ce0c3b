import { expect, test } from 'vitest';
import { judgePlan } from '../../../src/sync/guard.ts';
import { noChurn } from '../../../src/sync/relink.ts';

const plan = { sync: 's', read: 1, deliveredBefore: 12, churn: noChurn };

test('an empty feed is held where records were delivered before', () => {
  expect(judgePlan({ ...plan, read: 0 })).toMatchObject({ code: 'FF_GUARD_EMPTY' });
  expect(judgePlan({ ...plan, read: 0, deliveredBefore: 0 })).toBeUndefined();
  expect(judgePlan(plan)).toBeUndefined();
});

test('a feed whose keys have changed is held where its records cannot be told apart', () => {
  const churn = { relinked: 3, ambiguous: 2, wholeFeed: true };
  expect(judgePlan({ ...plan, churn })).toMatchObject({ code: 'FF_GUARD_CHURN' });
  expect(judgePlan({ ...plan, churn: { ...churn, ambiguous: 0 } })).toBeUndefined();
  expect(judgePlan({ ...plan, churn: { ...churn, wholeFeed: false } })).toBeUndefined();
});
