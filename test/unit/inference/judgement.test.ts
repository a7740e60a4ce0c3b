import { expect, test } from 'vitest';
import { describeJudgement, judgeSample } from '../../../src/inference/review/judgement.ts';

test.each([
  [{ read: 4, isWhole: true, accepted: 4, skipped: 0, rejected: 0 }, 'All 4 records can be published.'],
  [{ read: 1, isWhole: true, accepted: 1, skipped: 0, rejected: 0 }, 'The record can be published.'],
  [
    { read: 5000, isWhole: false, accepted: 5000, skipped: 0, rejected: 0 },
    'All of the first 5000 records can be published.',
  ],
  [
    { read: 10, isWhole: true, accepted: 7, skipped: 1, rejected: 2 },
    'Of the 10 records: 7 can be published, 1 would be skipped by when, 2 would be rejected.',
  ],
  [
    { read: 9, isWhole: false, accepted: 0, skipped: 0, rejected: 9 },
    'Of the first 9 records: 0 can be published, 9 would be rejected.',
  ],
  [
    { read: 5, isWhole: true, accepted: 4, skipped: 0, rejected: 0, repeated: 1 },
    'Of the 5 records: 4 can be published, 1 repeats another one.',
  ],
])('%o', (judgement, text) => {
  expect(describeJudgement({ repeated: 0, ...judgement, reasons: [], first: [] })).toBe(text);
});

test('A reason has the different values of its records', () => {
  const values = ['soon', 'ask', 'later', 'ask', 'a', 'b', 'c'];
  const rejections = values.map((value, index) => ({
    at: `line ${index + 2}`,
    code: 'FF_RECORD_DATE' as const,
    reason: `start: "${value}" is not a date (field "when")`,
  }));
  const sample = { url: '', connector: 'csv', options: {}, records: [], isWhole: true, head: '' };
  expect(judgeSample(sample, { desired: [], rejections, repeated: 0 }).reasons).toEqual([
    {
      code: 'FF_RECORD_DATE',
      count: 7,
      at: 'line 2',
      reason: 'start: "soon" is not a date (field "when"). Also: "ask" (2), "later", "a", "b" and 1 more',
    },
  ]);
});
