import type { CmsItem } from '../../cms/client.ts';
import { addDays } from '../../core/dates/iso-date.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { ITEMS_PER_PAGE } from '../items/cms-items.ts';
import { valueAt } from '../items/values.ts';
import type { Days } from '../search/list-days.ts';

/** How many items are read at most to find those that new records look like, unless the list has to prove something. */
const MOST_ITEMS = 20_000;

type ListContext = Pick<DeliveryContext, 'sync' | 'cms'>;

/**
 * Lists the items of the CMS that may be among the records to be created.
 * @param days events: only these; absent: all
 * @param isProof whether what the list lacks counts as absent
 * @returns `listed`: the ids of the items; `unshown`: how many more items the CMS counts than its lists show; `isCut`: not all items
 * were read
 * @throws CmsError
 */
export async function* listItems(
  days: readonly Days[] | undefined,
  isProof: boolean,
  { sync, cms }: ListContext,
): AsyncGenerator<CmsItem, { listed: ReadonlySet<number>; unshown: number; isCut: boolean }, undefined> {
  const call = { acceptsHidden: true, isProof };
  const listed = new Set<number>();
  let unshown = 0;
  for (const part of days ?? [undefined]) {
    const query = { limit: ITEMS_PER_PAGE, ...part };
    const list =
      sync.resource === 'accounts' ? cms.accounts().list(query, call) : cms.events(sync.instance).list(query, call);
    let items = 0;
    let hasLater = false;
    for (let next = await list.next(); ; next = await list.next()) {
      if (next.done) {
        unshown += Math.max(0, (next.value ?? 0) - items);
        break;
      }
      items += 1;
      hasLater ||= part !== undefined && isLater(next.value, part);
      if (listed.has(next.value.id)) continue;
      if (!isProof && listed.size >= MOST_ITEMS) return { listed, unshown, isCut: true };
      listed.add(next.value.id);
      yield next.value;
    }
    if (hasLater) break;
  }
  return { listed, unshown, isCut: false };
}

/** Whether the CMS ignores the last day of a query: then its list has the days after, too. */
function isLater(item: CmsItem, { endDate }: Days): boolean {
  const date = valueAt(item, 'date');
  return typeof date === 'string' && date.slice(0, 10) > addDays(endDate, 1);
}
