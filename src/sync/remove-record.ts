import type { Outcome } from '../core/outcome.ts';
import type { ClaimedRecord } from '../ledger/claims.ts';
import { keepWhole } from './before-image.ts';
import type { DeliveryContext } from './context.ts';
import type { DeliverySoFar } from './deliver-record.ts';
import { itemsOf, unlessGone } from './item.ts';

/**
 * Deletes the item of a record; that it is gone already (404) is as good. A delete can be sent again without harm.
 * @throws CmsError
 */
export async function removeRecord(
  record: ClaimedRecord,
  cmsId: number | null,
  delivery: DeliverySoFar,
  context: DeliveryContext,
): Promise<Outcome> {
  if (cmsId === null) return { is: 'removed' };
  const items = itemsOf(record.resource, context);
  const live = context.keepsBefore ? await unlessGone(items.get(cmsId)) : undefined;
  if (context.keepsBefore && !live) return { is: 'removed' };
  const before = live && (await keepWhole(record, live, context));
  delivery.sent = { method: 'DELETE', attributes: [], ...(before ? { before } : {}) };
  await unlessGone(items.delete(cmsId));
  return { is: 'removed' };
}
