import { CodedError } from '../../core/errors.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { findCreatedItem } from '../match/find-created-item.ts';
import { attempt } from './attempt.ts';

/**
 * Looks up the item that an unconfirmed create of a record may have left in the CMS. Does the rest of the delivery with the id
 * of that item, or with the certainty that there is none.
 * @throws CmsError; CodedError FF_CMS_AMBIGUOUS if it remains unknown which item it is, FF_CMS_UNPROVEN if the CMS does not
 * show enough to tell
 */
export async function afterLookUp(
  record: ClaimedRecord,
  context: DeliveryContext,
  rest: (record: ClaimedRecord) => Promise<DeliveryResult>,
): Promise<DeliveryResult> {
  if (record.cmsId !== null || !record.createUnconfirmed) return rest(record);
  const found = await findCreatedItem(record, context);
  if (found.is === 'unsure' || found.is === 'unproven') {
    const code = found.is === 'unsure' ? 'FF_CMS_AMBIGUOUS' : 'FF_CMS_UNPROVEN';
    throw new CodedError(code, `"${record.key}" may have been created already: ${found.reason}`);
  }
  const known = { ...record, createUnconfirmed: false, cmsId: found.is === 'found' ? found.cmsId : null };
  return attempt({}, known, context, () => rest(known));
}
