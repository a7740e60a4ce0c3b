import { expect, test } from 'vitest';
import { judgePlan } from '../../../src/sync/guard.ts';

test('an empty feed is held where records were delivered before', () => {
  expect(judgePlan({ sync: 's', read: 0, deliveredBefore: 12 })).toMatchObject({ code: 'FF_GUARD_EMPTY' });
  expect(judgePlan({ sync: 's', read: 0, deliveredBefore: 0 })).toBeUndefined();
  expect(judgePlan({ sync: 's', read: 1, deliveredBefore: 12 })).toBeUndefined();
});
