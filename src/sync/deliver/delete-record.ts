import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { attempt } from './attempt.ts';
import { imageOf, keepWhole } from './before-image.ts';
import { refuseEdited } from './edited-since.ts';
import { afterLookUp } from './look-up.ts';

/**
 * Deletes the item of a record; an item that is missing already (404) counts as deleted, so a delete can be repeated safely. If
 * a create is unconfirmed, its item is looked up first.
 * @throws CmsError; CodedError FF_UNDO_EDITED
 */
export function deleteRecord(claimed: ClaimedRecord, context: DeliveryContext): Promise<DeliveryResult> {
  return afterLookUp(claimed, context, async (record) => {
    const { cmsId, resource, delivered, beforeImage, expectedItemHash } = record;
    if (cmsId === null) return { is: 'removed' };
    const items = itemsOf(resource, context);
    const needsLive = expectedItemHash !== null || context.keepsBefore;
    const live = needsLive ? await unlessDeleted(items.get(cmsId)) : undefined;
    if (live) refuseEdited(record, live);
    // An unconfirmed delete of ours may have removed the item: the image that it kept still belongs to the history.
    if (needsLive && !live) return { is: 'removed', ...(beforeImage ? { sent: toSent(beforeImage) } : {}) };

    const sent = toSent(live && (await keepWhole(record, live, context)));
    return attempt({ sent }, record, context, async () => {
      await unlessDeleted(items.delete(cmsId));
      return { is: 'removed' };
    });

    function toSent(before: Payload | undefined) {
      return { method: 'DELETE' as const, attributes: [], ...imageOf(before, delivered) };
    }
  });
}
