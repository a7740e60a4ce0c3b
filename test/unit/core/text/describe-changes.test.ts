import { expect, test } from 'vitest';
import { describeChanges, describeUndo } from '../../../../src/core/text/describe-changes.ts';

test.each([
  [{ delete: 23, update: 1 }, 'events', 'delete 23 events, change 1'],
  [{ create: 1204, update: 2 }, 'accounts', 'change 2 accounts, create 1,204'],
  [{ mark: 1, create: 0 }, 'events', 'mark 1 event as missing'],
  [{ update: 0 }, 'events', ''],
  [{ create: 2, delete: 1 }, null, 'delete 1 item, create 2'],
] as const)('The changes %j of %s are described: %s', (counts, resource, words) => {
  expect(describeChanges(counts, resource)).toBe(words);
});

test('An undo deletes first, and creates again', () => {
  expect(describeUndo([{ op: 'create' }, { op: 'restore' }, { op: 'delete' }, { op: 'create' }], 'events')).toBe(
    'delete 1 event, restore 1, create 2 again',
  );
});
