import { expect, test } from 'vitest';
import { problemIds } from '../../../src/core/text/rejection-name.ts';

const rejection = { at: 'line 12', code: 'FF_MAP_INVALID' as never, key: 'T1', reason: 'title is empty' };
const failure = { key: 'T2', code: 'FF_CMS_UNPROCESSABLE', reason: 'title: is too long' };
const first = { rejections: [rejection], problems: [failure] };
const keyless = { ...rejection, key: undefined };

test.each<[string, object, boolean]>([
  ['at another place', { ...first, rejections: [{ ...rejection, at: 'line 99' }] }, true],
  [
    'with other words of the CMS',
    { ...first, problems: [{ ...failure, reason: 'title: is too long (5 attempts)' }] },
    true,
  ],
  ['for another reason', { ...first, rejections: [{ ...rejection, reason: 'date is empty' }] }, false],
  ['of another record', { ...first, rejections: [{ ...rejection, key: 'T9' }] }, false],
  ['with another error', { ...first, problems: [{ ...failure, code: 'FF_CMS_SERVER' }] }, false],
])('A problem %s', (_, report, isSame) => {
  const ids = new Set(problemIds(first));
  expect(problemIds(report as typeof first).every((id) => ids.has(id))).toBe(isSame);
});

test('Records without a key are counted by their reason', () => {
  const one = problemIds({ rejections: [keyless], problems: [] });
  const two = problemIds({ rejections: [{ ...keyless, at: 'line 1' }, keyless], problems: [] });
  expect(two).toHaveLength(2);
  expect(two.filter((id) => one.includes(id))).toHaveLength(1);
});
