import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { attempt } from './attempt.ts';
import { imageOf, keepWhole } from './before-image.ts';
import { proveDeleted } from './deleted-in-cms.ts';
import { refuseEdited } from './edited-since.ts';
import { afterLookUp } from './look-up.ts';
import { readOwnItem } from './own-item.ts';

/**
 * Deletes the item of a record; an item that is missing already (404) counts as deleted, so a delete can be repeated safely. If
 * a create is unconfirmed, its item is looked up first.
 * @throws CmsError; CodedError FF_UNDO_EDITED, FF_CMS_FOREIGN, FF_CMS_UNPROVEN
 */
export function deleteRecord(claimed: ClaimedRecord, context: DeliveryContext): Promise<DeliveryResult> {
  return afterLookUp(claimed, context, async (record) => {
    const { cmsId, resource, delivered, beforeImage } = record;
    if (cmsId === null) return { is: 'removed' };
    const live = await readOwnItem(record, cmsId, context);
    if (!live) {
      await proveDeleted(record, cmsId, context);
      // An unconfirmed delete of ours may have removed the item: the image that it kept still belongs to the history.
      return { is: 'removed', ...(beforeImage ? { sent: toSent(beforeImage) } : {}) };
    }
    refuseEdited(record, live);
    const sent = toSent(await keepWhole(record, live, context));
    return attempt({ sent }, record, context, async () => {
      await unlessDeleted(itemsOf(resource, context).delete(cmsId));
      return { is: 'removed' };
    });

    function toSent(before: Payload | undefined) {
      return { method: 'DELETE' as const, attributes: [], ...imageOf(before, delivered) };
    }
  });
}
