import { expect, test } from 'vitest';
import type { CmsItem } from '../../../../src/cms/client.ts';
import type { Payload } from '../../../../src/core/record.ts';
import type { Goal, RecordWithItem } from '../../../../src/ledger/records/claimed-record.ts';
import { isEditedSince } from '../../../../src/sync/deliver/own-item.ts';
import { itemHash } from '../../../../src/sync/items/item-images.ts';

const decidedAbout: CmsItem = { id: 7, title: 'Maps', description: 'New maps', room: 'A' };
const restored: Payload = { description: 'Old maps' };
const restoring = { is: 'exactly', as: 'restore', expects: itemHash(decidedAbout, 'events', restored) } as Goal;
const deleting = { is: 'gone', expects: itemHash(decidedAbout, 'events') } as Goal;

test.each<[string, Goal, Partial<CmsItem>, boolean]>([
  ['An item as it was is not edited', restoring, {}, false],
  ['An edit of what is to be restored is seen', restoring, { description: 'By hand' }, true],
  ['An edit of anything else does not prevent a restore', restoring, { room: 'B' }, false],
  ['What an earlier attempt has restored is no edit', restoring, restored, false],
  ['An item to be deleted that is as it was is not edited', deleting, {}, false],
  ['Any edit of an item that is to be deleted is seen', deleting, { room: 'B' }, true],
  ['Of what was not decided by an undo, edits do not count', { is: 'gone' } as Goal, { room: 'B' }, false],
])('%s', (_, goal, edit, expected) => {
  const record = { goal, resource: 'events', desired: restored, open: [] } as unknown as RecordWithItem;
  expect(isEditedSince(record, { ...decidedAbout, ...edit })).toBe(expected);
});
