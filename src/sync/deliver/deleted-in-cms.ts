import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';

/**
 * Result for a record whose item the CMS no longer has. The item is created again if the sync says so, or if a delete of ours
 * may have removed it; never for a mark or restore.
 */
export function deletedInCms(
  { key, action, deleteUnconfirmed }: ClaimedRecord,
  cmsId: number,
  { sync }: Pick<DeliveryContext, 'sync'>,
): DeliveryResult {
  const recreate = action === null && (deleteUnconfirmed || sync.onDeletedInCms === 'recreate');
  const reason = `"${key}" was deleted in the CMS, where it was item ${cmsId}.`;
  return { is: 'deleted', recreate, code: 'FF_CMS_DELETED', reason };
}
