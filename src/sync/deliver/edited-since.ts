import type { CmsItem } from '../../cms/client.ts';
import { hashJson } from '../../core/hash.ts';
import type { Payload, Resource } from '../../core/record.ts';
import type { RecordWithItem } from '../../ledger/records/claimed-record.ts';
import { partsOf, writableOf } from '../items/item-images.ts';
import { hasAll } from '../items/values.ts';
import { stillLost } from './restore-lost.ts';

/**
 * Hash of an item when an undo decides about it. The delivery compares the hash minutes later, or days later after a crash.
 * @param body what is to be restored; absent: the whole item counts
 */
export function itemHash(item: CmsItem, resource: Resource, body?: Payload): string {
  return hashJson(body ? partsOf(item, body) : writableOf(item, resource));
}

/** Whether an item was edited in the CMS after an undo decided about it. What a PATCH has emptied is no edit. */
export function isEditedSince(record: RecordWithItem, item: CmsItem): boolean {
  const { goal, resource, desired } = record;
  if (!('expects' in goal) || goal.expects === undefined) return false;
  const live = { ...item, ...stillLost(record, item) };
  const body = goal.is === 'exactly' && goal.as === 'restore' ? desired : undefined;
  if (itemHash(live, resource, body) === goal.expects) return false;
  // An earlier attempt may have been applied.
  return !(body && hasAll(live, body));
}
