import { expect, test } from 'vitest';
import {
  countsAsSuccess,
  countUndone,
  describeCounts,
  type RunStatus,
  withRest,
  zeroCounts,
} from '../../../src/core/run.ts';

const read = (counts: object) => ({ ...zeroCounts(), read: 5000, ...counts });

test.each<[string, RunStatus, object, { complete?: boolean; refused?: number }, boolean]>([
  ['a success', 'success', { created: 5000 }, {}, true],
  ['a success that read nothing', 'success', { read: 0 }, {}, true],
  ['one rejected record', 'partial', { created: 4999, rejected: 1 }, {}, true],
  ['one record on hold', 'partial', { unchanged: 4999, held: 1 }, {}, true],
  ['one record whose content the CMS refuses', 'partial', { unchanged: 4999, failed: 1 }, { refused: 1 }, true],
  ['one record that the CMS did not take', 'partial', { unchanged: 4999, failed: 1 }, {}, false],
  ['one of two failed records is refused', 'partial', { unchanged: 4998, failed: 2 }, { refused: 1 }, false],
  ['a delete that failed', 'partial', { unchanged: 5000, unremoved: 1 }, {}, false],
  ['a feed that broke off', 'partial', { unchanged: 5000 }, { complete: false }, false],
  ['all records are rejected', 'partial', { rejected: 5000 }, {}, false],
  ['all records are on hold', 'partial', { held: 5000 }, {}, false],
  ['all records are refused', 'partial', { failed: 5000 }, { refused: 5000 }, false],
  ['a failed run', 'failed', { created: 4000, failed: 1000 }, {}, false],
  ['a held run', 'held', { held: 5000 }, {}, false],
  ['a run in progress', 'running', {}, {}, false],
  ['a plan', 'planned', {}, {}, false],
])('Success: %s', (_, status, counts, { complete = true, refused = 0 }, expected) => {
  expect(countsAsSuccess({ status, complete, counts: read(counts) }, refused)).toBe(expected);
});

test('The counts of a run that broke off balance with the records that were not sent', () => {
  const counts = withRest(read({ created: 40, rejected: 10 }), 'notSent');
  expect(countUndone(counts)).toBe(0);
  expect(describeCounts(counts)).toBe('5000 read, 40 created, 10 rejected, 4950 not sent yet');
  expect(withRest(read({ created: 5000 }), 'notSent')).not.toHaveProperty('notSent');
});
