import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { callOf, itemsOf, unlessDeleted } from '../items/cms-items.ts';
import type { ItemIndex } from '../search/item-traits.ts';

type ProofContext = Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'ledger' | 'search' | 'call'>;

type Absence = { is: 'none' } | { is: 'unwitnessed'; missing: number } | { is: 'unproven'; reason: string };

/**
 * Proves that the CMS has no item of a record, although a reading of its list shows none. The list has to show as many items
 * as it counts, and the items of the records that were delivered last: a list may be late, hide drafts, or be empty for a
 * while.
 * @param indexes the reading
 * @returns `unwitnessed`: nothing contradicts the list, but there is no delivered record that it could show, or the items of so
 * many are `missing`
 * @throws CmsError
 */
export async function proveAbsence(
  record: ClaimedRecord,
  indexes: readonly ItemIndex[],
  context: ProofContext,
): Promise<Absence> {
  const short = indexes.find(({ counted, sightings }) => counted > sightings.size);
  if (short) return unproven(`the list of the CMS counts ${short.counted} items and shows ${short.sightings.size}`);
  const { ledger, search } = context;
  let witnesses = 0;
  let missing = 0;
  const quietSince = Math.min(...indexes.map(({ beganAt }) => beganAt));
  const ageMs = performance.now() - quietSince;
  for (const { key, cmsId, payload } of await ledger.records.deliveredLast(record, dayOf(record.desired), ageMs)) {
    const isShown = (reading: readonly ItemIndex[]) => reading.some(({ sightings }) => sightings.has(cmsId));
    if (
      isShown(indexes) ||
      isShown(await search.candidates({ ...record, key, quietSince }, [payload], callOf(context)))
    ) {
      witnesses += 1;
    } else if (await unlessDeleted(itemsOf(record.resource, context).get(cmsId))) {
      return unproven(`the CMS has item ${cmsId}, which is "${key}", but its list does not show it`);
    } else {
      missing += 1;
    }
  }
  return witnesses > 0 ? { is: 'none' } : { is: 'unwitnessed', missing };
}

function unproven(reason: string): Absence {
  return { is: 'unproven', reason };
}

/** The first day that counts: lists may leave out what is over. */
function dayOf({ date }: Payload): string {
  const today = new Date().toISOString().slice(0, 10);
  return typeof date === 'string' && date < today ? date : today;
}
