import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { attempt } from './attempt.ts';
import { createRecord } from './create-record.ts';
import { deleteRecord } from './delete-record.ts';
import { overwriteRecord } from './overwrite-record.ts';
import { updateRecord } from './update-record.ts';

/**
 * Brings one claimed record to the CMS: first its files, then one POST or PATCH; or deletes, marks or restores its item. Never
 * sends a second POST before it has looked up the item that the first one may have left. Does not throw: errors are results, too.
 */
export async function deliverRecord(record: ClaimedRecord, context: DeliveryContext): Promise<DeliveryResult> {
  const { sent, ...result } = await attempt({}, record, context, () => act(record, context));
  if (!sent) return result;
  const { method, attributes } = sent;
  return { ...result, sent: context.keepsBefore ? sent : { method, attributes } };
}

function act(record: ClaimedRecord, context: DeliveryContext): Promise<DeliveryResult> {
  const { action, cmsId, delivered } = record;
  if (action === 'delete') return deleteRecord(record, context);
  if (action !== null) return overwriteRecord(record, context);
  // An item that a create has left may have been found but not yet taken over: then the create is not done.
  if (cmsId === null || delivered === null) return createRecord(record, context);
  return updateRecord({ ...record, delivered }, cmsId, context);
}
