import type { CmsItem } from '../../cms/client.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { keyOn } from '../items/external-id.ts';

/** How the records that a run is about to create are looked for in the CMS. */
export interface Newcomers {
  /** By external id, in all items: the ledger may be lost or older than the CMS. */
  areMarked: boolean;
  /** The sync has delivered nothing yet. */
  isFirst: boolean;
}

/**
 * Decides how to search the CMS for the creates of a plan. Their external ids are searched for only if the ledger has fewer
 * records of the sync than the plan creates, if one of the newest items of the CMS has the external id of such a create, if an
 * earlier search was ambiguous, or if the item of such a create was deleted. Otherwise the ledger knows the items.
 */
export async function newcomersOf(
  run: string,
  newest: readonly CmsItem[],
  { sync, target, ledger }: Pick<DeliveryContext, 'sync' | 'target' | 'ledger'>,
): Promise<Newcomers> {
  const marked = newest.flatMap((item) => keyOn(item, sync, target.externalId) ?? []);
  const { unseen, known, returning, marked: seen } = await ledger.plans.unseenCreates(run, sync.name, marked);
  const isFirst = unseen > 0 && known === 0;
  const areMarked = target.externalId !== undefined && (unseen > known || seen > 0 || returning > 0);
  return { areMarked, isFirst };
}
