import { expect, test } from 'vitest';
import { isChurn } from '../../../../src/sync/plan/changed-keys.ts';

test('A feed has churned if most records are missing and most are new', () => {
  expect(isChurn({ gone: 10, fresh: 10, kept: 0 })).toBe(true);
  expect(isChurn({ gone: 10, fresh: 3, kept: 40 })).toBe(false);
  expect(isChurn({ gone: 1, fresh: 1, kept: 0 })).toBe(false);
  expect(isChurn({ gone: 0, fresh: 50, kept: 0 })).toBe(false);
});
