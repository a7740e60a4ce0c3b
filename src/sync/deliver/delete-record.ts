import { CodedError } from '../../core/errors.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { itemsOf, unlessGone } from '../items/cms-items.ts';
import { imageOf, keepWhole } from './before-image.ts';
import type { DeliverySoFar } from './delivery.ts';
import { editedSince } from './edited-since.ts';
import { lookUp } from './look-up.ts';

/**
 * Deletes the item of a record; that it is gone already (404) is as good. A delete can be sent again without harm. Where a
 * create may have been applied, its item is looked up first.
 * @throws CmsError
 */
export async function deleteRecord(
  record: ClaimedRecord,
  delivery: DeliverySoFar,
  context: DeliveryContext,
): Promise<Outcome> {
  const cmsId = record.cmsId ?? (await lookUp(record, delivery, context));
  if (cmsId instanceof CodedError) return { is: 'held', error: cmsId };
  if (cmsId === undefined) return { is: 'removed' };
  const items = itemsOf(record.resource, context);
  const needsLive = record.expectedItemHash !== null || context.keepsBefore;
  const live = needsLive ? await unlessGone(items.get(cmsId)) : undefined;
  const edit = live && editedSince(record, live);
  if (edit) return { is: 'held', error: edit };
  if (needsLive && !live) {
    // A delete of ours that nobody settled may have done it: what it began with is not lost.
    if (record.beforeImage) delivery.sent = toSent(record, record.beforeImage);
    return { is: 'removed' };
  }
  delivery.sent = toSent(record, live && (await keepWhole(record, live, context)));
  await unlessGone(items.delete(cmsId));
  return { is: 'removed' };
}

function toSent({ delivered }: ClaimedRecord, before: Payload | undefined): NonNullable<DeliverySoFar['sent']> {
  return { method: 'DELETE', attributes: [], ...imageOf(before, delivered) };
}
