import { CodedError } from '../../core/errors.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { findCreatedItem } from '../match/find-created-item.ts';
import type { DeliverySoFar } from './delivery.ts';

/**
 * The id of what an earlier create left in the CMS, an error where nobody can tell, else undefined.
 * @throws CmsError
 */
export async function lookUp(
  record: ClaimedRecord,
  delivery: DeliverySoFar,
  context: DeliveryContext,
): Promise<number | CodedError | undefined> {
  if (!record.createUnconfirmed) return undefined;
  const found = await findCreatedItem(record, context);
  if (found.is === 'unsure') {
    return new CodedError('FF_CMS_AMBIGUOUS', `"${record.key}" may have been created already: ${found.reason}`);
  }
  delivery.createUnconfirmed = false;
  return found.is === 'found' ? found.cmsId : undefined;
}
