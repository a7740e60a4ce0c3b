import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { filterAttributes } from '../items/values.ts';
import { deletedInCms } from './deleted-in-cms.ts';
import { refuseEdited } from './edited-since.ts';
import { afterLookUp } from './look-up.ts';
import { readOwnItem } from './own-item.ts';
import { patchItem } from './patch-item.ts';

/**
 * Writes all desired attributes of a record and nothing else: marks a missing record, or restores what was there before.
 * Nothing is uploaded: files are set by their paths in the CMS. If a create is unconfirmed, its item is looked up first.
 * @throws CmsError; CodedError FF_UNDO_EDITED, FF_CMS_FOREIGN, FF_CMS_UNPROVEN
 */
export function overwriteRecord(claimed: ClaimedRecord, context: DeliveryContext): Promise<DeliveryResult> {
  return afterLookUp(claimed, context, async (record) => {
    const { cmsId, desired: body } = record;
    if (cmsId === null) return { is: 'removed' };
    const live = await readOwnItem(record, cmsId, context);
    if (!live) return deletedInCms(record, cmsId, context);
    refuseEdited(record, live);
    const state = {
      delivered: record.delivered ?? {},
      // The fingerprints of the files set here are unknown: the next plan compares the source's files again.
      deliveredAttachments: filterAttributes(
        record.deliveredAttachments,
        (attribute) => !Object.hasOwn(body, attribute),
      ),
      editorState: record.editorState,
      incomplete: false,
    };
    return patchItem(record, cmsId, { ...state, body, live }, context);
  });
}
