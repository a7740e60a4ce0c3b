import type { Payload } from '../../core/record.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { callOf, itemsOf, unlessDeleted } from '../items/cms-items.ts';
import type { ItemIndex } from '../search/item-traits.ts';

type ProofContext = Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'ledger' | 'search' | 'call' | 'runtime'>;

type Absence =
  | { is: 'none' }
  | { is: 'likely' }
  | { is: 'unwitnessed'; missing: number }
  | { is: 'unproven'; reason: string };

/**
 * Proves that the CMS has no item of a record, although a reading of its list shows none. The list has to show as many items
 * as it counts, and the items of the records that were delivered last: a list may be late, hide drafts, or be empty for a
 * while.
 * @param indexes the reading
 * @returns `likely`: other readings show delivered items, but this reading shows no item that the ledger knows. Another
 * reading of the same list, and another proof after it, decide: a list that is empty for a while would contradict one of them.
 * `unwitnessed`: nothing contradicts the list, but no delivered record could be its witness, or the items of so many are
 * `missing`
 * @throws CmsError
 */
export async function proveAbsence(
  record: ClaimedRecord,
  indexes: readonly ItemIndex[],
  context: ProofContext,
): Promise<Absence> {
  const short = indexes.find(({ counted, sightings }) => counted > sightings.size);
  if (short) return unproven(`the list of the CMS counts ${short.counted} items and shows ${short.sightings.size}`);
  const { ledger, search, runtime } = context;
  let witnesses = 0;
  let missing = 0;
  const quietSince = Math.min(...indexes.map(({ beganAt }) => beganAt));
  const ageMs = runtime.monotonic() - quietSince;
  for (const { key, cmsId, payload } of await ledger.records.deliveredLast(
    record,
    dayOf(record.desired, runtime),
    ageMs,
  )) {
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
  if (witnesses === 0) return { is: 'unwitnessed', missing };
  const known = await Promise.all(indexes.map((index) => ledger.records.owned(record.resource, idsOf(index))));
  return { is: known.every(({ size }) => size > 0) ? 'none' : 'likely' };
}

/** The ids of a few items: enough to find one that the ledger knows. */
function idsOf({ sightings }: ItemIndex): number[] {
  return [...sightings.keys()].slice(0, 500);
}

function unproven(reason: string): Absence {
  return { is: 'unproven', reason };
}

/** The first day from which items are witnesses: lists may leave out past events. */
function dayOf({ date }: Payload, { now }: Clock): string {
  const today = new Date(now()).toISOString().slice(0, 10);
  return typeof date === 'string' && date < today ? date : today;
}
