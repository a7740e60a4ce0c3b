import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { callOf, itemsOf, unlessDeleted } from '../items/cms-items.ts';
import type { ItemIndex } from '../search/item-traits.ts';

type ProofContext = Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'ledger' | 'search' | 'call'>;

/**
 * Proves that the CMS has no item of a record, although a reading of its list shows none. The list has to show as many items
 * as it counts, and the items of the records that were delivered last: a list may be late, hide drafts, or be empty for a
 * while.
 * @param indexes the reading
 * @returns why there is no proof; undefined: there is none
 * @throws CmsError
 */
export async function proveAbsence(
  record: ClaimedRecord,
  indexes: readonly ItemIndex[],
  context: ProofContext,
): Promise<string | undefined> {
  const short = indexes.find(({ counted, sightings }) => counted > sightings.size);
  if (short) return `the list of the CMS counts ${short.counted} items and shows ${short.sightings.size}`;
  const { ledger, search } = context;
  for (const witness of await ledger.records.deliveredLast(record, dayOf(record.desired))) {
    const { key, cmsId, payload } = witness;
    if (indexes.some(({ sightings }) => sightings.has(cmsId))) continue;
    const itsDays = await search.candidates({ ...record, key }, [payload], callOf(context));
    if (itsDays.some(({ sightings }) => sightings.has(cmsId))) continue;
    if (await unlessDeleted(itemsOf(record.resource, context).get(cmsId))) {
      return `the CMS has item ${cmsId}, which is "${key}", but its list does not show it`;
    }
  }
  return undefined;
}

/** The first day that counts: lists may leave out what is over. */
function dayOf({ date }: Payload): string {
  const today = new Date().toISOString().slice(0, 10);
  return typeof date === 'string' && date < today ? date : today;
}
