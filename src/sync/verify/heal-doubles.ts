import { isDeepStrictEqual } from 'node:util';
import type { CmsItem } from '../../cms/client.ts';
import { isUnfilled } from '../../core/attributes.ts';
import type { Payload } from '../../core/record.ts';
import type { StagedRow } from '../../ledger/database/schema.ts';
import type { VerifiedRecord } from '../../ledger/verifications/verified-records.ts';
import type { RunContext } from '../context/run-context.ts';
import { itemHash } from '../deliver/edited-since.ts';
import { areAlike, lookOf } from '../identity/look.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { writableOf } from '../items/item-images.ts';
import { valueAt } from '../items/values.ts';
import { differencesIn } from './compare-item.ts';
import type { Double } from './doubles.ts';

/**
 * The row that removes an item that feedferry has made although the site had one that looks like it; empty if the item was
 * adopted, may hold an editor's work, or does not look like the other one any longer.
 * @throws CmsError
 */
export async function toRemoval(
  run: string,
  record: VerifiedRecord,
  { item, like }: Double,
  context: RunContext,
): Promise<StagedRow[]> {
  const { sync, signal } = context;
  if (record.isAdopted || record.isUndelivered || record.cmsId !== item.cmsId || record.action !== null) return [];
  const items = itemsOf(sync.resource, { ...context, call: { signal } });
  const live = await unlessDeleted(items.get(item.cmsId));
  const other = await unlessDeleted(items.get(like.cmsId));
  if (!live || !other || !areAlike(lookOf(live, sync.resource), lookOf(other, sync.resource))) return [];
  if (differencesIn(record, live, context).length > 0 || hasMore(live, other, record.known.payload ?? {}, context))
    return [];
  const expected_item_hash = itemHash(live, sync.resource);
  return [{ run, key: record.key, op: 'delete', place: record.place, resource: sync.resource, expected_item_hash }];
}

/** Whether an item has values that feedferry did not send and that the other item does not have, too: an editor may have written them. */
function hasMore(item: CmsItem, other: CmsItem, delivered: Payload, { sync, target }: RunContext): boolean {
  return Object.entries(writableOf(item, sync.resource)).some(([attribute, value]) => {
    if (Object.hasOwn(delivered, attribute) || Object.hasOwn(sync.attachments, attribute)) return false;
    return (
      attribute !== target.externalId && !isUnfilled(value) && !isDeepStrictEqual(value, valueAt(other, attribute))
    );
  });
}
