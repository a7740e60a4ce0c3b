import type { CmsItem } from '../../cms/client.ts';
import { isUnfilled } from '../../core/attributes.ts';
import { CodedError, toCodedError } from '../../core/errors.ts';
import { type Payload, unknown } from '../../core/record.ts';
import type { RecordWithItem } from '../../ledger/records/claimed-record.ts';
import { bodiesOf } from '../../ledger/records/open-attempts.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { lostAttributes, unsentOf } from '../evidence/evidence.ts';
import { identifying } from '../identity/sighting.ts';
import { itemsOf } from '../items/cms-items.ts';
import { asWritten, writableOf } from '../items/item-images.ts';
import { filterAttributes } from '../items/values.ts';
import { keepLoss } from './keep-call.ts';

/** A PATCH after which an item lacks attributes that it did not send. */
interface Loss {
  /** The item before. */
  live: CmsItem;
  sent: Payload;
  lost: string[];
}

/**
 * Gives an item back the attributes that a PATCH has emptied, together with those that it has sent.
 * @returns the item, if the CMS has only emptied an attribute that depends on another
 * @throws CodedError FF_CMS_NOT_TAKEN if it empties that attribute again, FF_CMS_PATCH_REPLACES if it has emptied the item as a
 *   PUT does: nothing else may be sent
 */
export async function restoreLost(
  record: RecordWithItem,
  { live, sent, lost }: Loss,
  context: DeliveryContext,
): Promise<CmsItem> {
  const isWhole = isReplaced(record, { live, sent, lost });
  if (isWhole) await keepLoss(record, lost, live, context);
  const { cmsId } = record.item;
  const items = itemsOf(record.resource, context);
  const before = writableOf(live, record.resource);
  const values = asWritten(filterAttributes(before, (_, value) => !isUnfilled(value)));
  const restored = await items
    .patch(cmsId, { ...values, ...sent })
    .then(() => items.get(cmsId))
    .catch((error: unknown) => toCodedError(error));
  const isRead = !(restored instanceof CodedError);
  const left = isRead ? lostAttributes(before, sent, restored) : lost;
  if (isWhole) {
    const which = left.length === 0 ? 'They were restored' : `Not restored: ${left.join(', ')}`;
    const why = isRead ? '' : ` (${restored.message})`;
    const message = `A PATCH of item ${cmsId}, "${record.key}", emptied attributes that it did not send: ${lost.join(', ')}. ${which}${why}`;
    const error = new CodedError('FF_CMS_PATCH_REPLACES', message);
    await context.habits.replaces(record.run, error);
    throw error;
  }
  if (isRead && left.length === 0) return restored;
  await keepLoss(record, left, live, context);
  const message = `The CMS empties ${left.join(', ')} of "${record.key}", item ${cmsId}, with ${Object.keys(sent).join(', ')}`;
  throw new CodedError('FF_CMS_NOT_TAKEN', message);
}

/**
 * The record, if a PATCH in doubt may have emptied attributes that it did not send: what the item lacks of what was delivered is
 * unknown, and is sent again.
 */
export function withDoubtOfLoss(record: RecordWithItem, live: CmsItem): RecordWithItem {
  const { item, open } = record;
  const patched = open.filter(({ method }) => method === 'PATCH');
  if (patched.length === 0 || item.delivered === null) return record;
  const lost = lostAttributes(item.delivered, Object.assign({}, ...bodiesOf(patched)), live);
  if (lost.length === 0) return record;
  return { ...record, open: [...open, { method: 'PATCH', body: unknown(lost), doubt: 'sent', before: null }] };
}

/** Whether feedferry has to care about what an item has lost: a CMS may empty an attribute of editors that depends on another. */
export function isDamage(record: RecordWithItem, loss: Loss): boolean {
  const { delivered } = record.item;
  return (
    isReplaced(record, loss) || loss.lost.some((attribute) => delivered !== null && !isUnfilled(delivered[attribute]))
  );
}

function isReplaced({ resource }: RecordWithItem, { live, sent, lost }: Loss): boolean {
  const names = identifying[resource].map((path) => path.replace(/\..*/s, ''));
  const unsent = unsentOf(writableOf(live, resource), sent);
  return lost.length > 1 || lost.length * 2 > unsent.length || lost.some((attribute) => names.includes(attribute));
}
