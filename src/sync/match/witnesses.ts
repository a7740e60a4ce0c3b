import type { Payload } from '../../core/record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { callOf, itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { writableOf } from '../items/item-images.ts';
import type { Sought } from '../search/cms-search.ts';
import type { KnownFacts } from './absence-rules.ts';

type WitnessContext = Pick<DeliveryContext, 'sync' | 'targetId' | 'cms' | 'ledger' | 'search' | 'call' | 'runtime'>;

/** Items that were confirmed within so many times `target.lookupAfter` may be missing in lists that are late. */
export const SHOWN_AFTER = 2;

/** If the CMS lacks the items of this many records, it has probably lost them, rather than that editors deleted them. */
const MANY = 3;

interface Witnesses {
  is: NonNullable<KnownFacts['others']>;
  /** Why the lists prove nothing; empty: they do. */
  reason: string;
}

/**
 * Looks for the other items of a sync, or else of other syncs, that were confirmed last: if the lists show one of them, they work.
 * @param sought the record that is left out
 * @param options `date`: first day of that record, if it has one; `ageMs`: how long ago the items must have been confirmed;
 * `isListed`: whether a reading at hand shows an item
 * @throws CmsError
 */
export async function seeWitnesses(
  sought: Sought,
  { date, ageMs, isListed }: { date?: unknown; ageMs: number; isListed: (cmsId: number) => boolean },
  context: WitnessContext,
): Promise<Witnesses> {
  const { ledger, search, runtime } = context;
  let missing = 0;
  let shown = 0;
  const wanted = { target: context.targetId, since: firstDay(date, runtime.now()), beforeMs: ageMs };
  for (const other of await ledger.records.confirmedLast(sought, wanted)) {
    const { key, cmsId, payload } = other;
    if (isListed(cmsId) || (await isOn({ ...sought, key }, payload, cmsId))) {
      shown += 1;
      continue;
    }
    const live = await unlessDeleted(itemsOf(sought.resource, context).get(cmsId));
    // Editors may have moved it to another day.
    if (!live) missing += 1;
    else if (await isOn({ ...sought, key }, writableOf(live, sought.resource), cmsId)) shown += 1;
    else return { is: 'hidden', reason: `the CMS has item ${cmsId}, which is "${key}", but its list does not show it` };
  }
  if (shown > 0) return { is: 'shown', reason: '' };
  if (missing === 0) return { is: 'none', reason: '' };
  if (missing < MANY) return { is: 'few', reason: '' };
  const lost = `the CMS also lacks the ${missing} other items that were confirmed last`;
  return { is: 'many', reason: `${lost}: it may have lost items` };

  async function isOn(listed: Sought, content: Payload, cmsId: number): Promise<boolean> {
    const indexes = await search.candidates(listed, [content], callOf(context));
    return indexes.some(({ sightings }) => sightings.has(cmsId));
  }
}

/** The first day from which items are witnesses: lists may leave out past events. */
function firstDay(date: unknown, now: number): string {
  const today = new Date(now).toISOString().slice(0, 10);
  return typeof date === 'string' && date < today ? date : today;
}
