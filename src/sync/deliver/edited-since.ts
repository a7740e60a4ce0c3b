import type { CmsItem } from '../../cms/client.ts';
import { CodedError } from '../../core/errors.ts';
import { hashJson } from '../../core/hash.ts';
import type { Payload, Resource } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import { partsOf, writableOf } from '../items/item-images.ts';
import { hasAll } from '../items/values.ts';

/**
 * Hash of an item when an undo decides about it. The delivery compares the hash minutes later, or days later after a crash.
 * @param body what is to be restored; absent: the whole item counts
 */
export function itemHash(item: CmsItem, resource: Resource, body?: Payload): string {
  return hashJson(body ? partsOf(item, body) : writableOf(item, resource));
}

/** @throws CodedError FF_UNDO_EDITED if the item was edited in the CMS after the undo decided about it */
export function refuseEdited(record: ClaimedRecord, live: CmsItem): void {
  const { key, expectedItemHash, resource, desired } = record;
  const body = record.action === 'restore' ? desired : undefined;
  if (expectedItemHash === null || itemHash(live, resource, body) === expectedItemHash) return;
  // An earlier attempt may have been applied.
  if (body && hasAll(live, body)) return;
  const message = `"${key}", item ${live.id}, was edited in the CMS before its change could be undone.`;
  throw new CodedError('FF_UNDO_EDITED', message);
}
