import type { CmsItem } from '../../cms/client.ts';
import type { Payload } from '../../core/record.ts';
import type { Sent } from '../../ledger/history/deliveries.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { asWritten, partsOf, writableOf } from '../items/item-images.ts';
import { filterAttributes, partsLike, sameValue } from '../items/values.ts';

/**
 * Keeps the values that a live item has in the attributes of a PATCH. If an earlier change is unconfirmed, its image takes
 * precedence.
 * @returns the values before the PATCH, without other attributes of an unconfirmed change; undefined if no images are kept
 */
export async function keepBefore(
  record: ClaimedRecord,
  body: Payload,
  live: CmsItem,
  { ledger, keepsBefore }: Pick<DeliveryContext, 'ledger' | 'keepsBefore'>,
): Promise<Payload | undefined> {
  if (!keepsBefore && record.action !== 'mark') return undefined;
  const before = { ...partsOf(live, body), ...record.beforeImage };
  const attributesBeforeMark = { ...asWritten(partsOf(live, body)), ...record.attributesBeforeMark };
  await ledger.records.keepBeforeImage(record, {
    before,
    ...(record.action === 'mark' ? { attributesBeforeMark } : {}),
  });
  return filterAttributes(before, (attribute) => Object.hasOwn(body, attribute));
}

/** Keeps the whole of a live item that is about to be deleted, and returns it; undefined if no images are kept. */
export async function keepWhole(
  record: ClaimedRecord,
  live: CmsItem,
  { ledger, keepsBefore }: Pick<DeliveryContext, 'ledger' | 'keepsBefore'>,
): Promise<Payload | undefined> {
  if (!keepsBefore) return undefined;
  const before = writableOf(live, record.resource);
  await ledger.records.keepBeforeImage(record, { before });
  return before;
}

/** The part of `Sent` that says what an item was before the change, and what feedferry had delivered if that differs. */
export function imageOf(before: Payload | undefined, delivered: Payload | null): Pick<Sent, 'before' | 'replaced'> {
  if (!before) return {};
  const replaced = filterAttributes(delivered ?? {}, (attribute, value) => {
    return Object.hasOwn(before, attribute) && !sameValue(partsLike(before[attribute] ?? null, value), value);
  });
  return { before, replaced };
}
