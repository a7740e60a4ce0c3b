import type { CmsItem } from '../../cms/client.ts';
import { CodedError } from '../../core/errors.ts';
import { hashJson } from '../../core/hash.ts';
import type { Payload, Resource } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import { hasAll } from '../items/values.ts';
import { partsOf, writableOf } from './before-image.ts';

/**
 * Hash of an item as an undo has seen it when it decided: minutes or, after a crash, days may pass until it is delivered.
 * @param body what is to be restored of it; absent: the whole counts
 */
export function itemHash(item: CmsItem, resource: Resource, body?: Payload): string {
  return hashJson(body ? partsOf(item, body) : writableOf(item, resource));
}

/** Why an item is not to be touched: somebody has edited it since it was seen. Undefined where it may be. */
export function editedSince(record: ClaimedRecord, live: CmsItem): CodedError | undefined {
  const { key, expectedItemHash, resource, desired } = record;
  const body = record.action === 'restore' ? desired : undefined;
  if (expectedItemHash === null || itemHash(live, resource, body) === expectedItemHash) return undefined;
  // An earlier try may have been applied.
  if (body && hasAll(live, body)) return undefined;
  return new CodedError(
    'FF_UNDO_EDITED',
    `"${key}", item ${live.id}, was edited in the CMS while it was to be undone.`,
  );
}
