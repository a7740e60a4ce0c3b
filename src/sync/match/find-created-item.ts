import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import type { ItemIndex } from '../search/item-index.ts';
import { externalIdTrait, likenessOf, type Trait } from '../search/item-traits.ts';

const NAMED_IDS = 5;

export type LookUpResult = { is: 'found'; cmsId: number } | { is: 'none' } | { is: 'unsure'; reason: string };

/**
 * Looks in the CMS for the item that a create of this record may have left there, by what is desired and by what earlier
 * creates may have carried: by the external-id attribute, else by what makes such an item itself. Items that the ledger
 * knows as other records are none of them. The item that is found belongs to the record from then on.
 * @throws CmsError when the CMS cannot be searched
 */
export async function findCreatedItem(record: ClaimedRecord, context: DeliveryContext): Promise<LookUpResult> {
  for (;;) {
    const found = await look(record, context);
    if (found.is !== 'found') return found;
    const taking = await context.ledger.records.takeItem(record, found.cmsId);
    if (taking === 'taken') return found;
    if (taking === 'contested') return unsure(record, `another record is being matched with item ${found.cmsId}, too`);
  }
}

async function look(record: ClaimedRecord, context: DeliveryContext): Promise<LookUpResult> {
  const contents = createPayloads(record);
  const likenesses = contents.map((content) => likenessOf(record.resource, content));
  const { sync, call, search } = context;
  const { instance } = sync;
  const items = await search.candidates(record, contents, { instance, signal: call?.signal });
  const unowned = (traits: readonly Trait[]) => unownedIds(traits, items, record, context);

  const marked = await unowned([externalIdTrait(record)]);
  const same = marked.length > 0 ? marked : await unowned(likenesses.flatMap((likeness) => likeness.same));
  const [cmsId] = same;
  if (same.length > 1) return unsure(record, `the CMS has ${same.length} items that match it (${named(same)})`);
  if (cmsId !== undefined) return { is: 'found', cmsId };

  const similar = await unowned(likenesses.flatMap((likeness) => likeness.similar));
  if (similar.length > 0)
    return unsure(record, `the CMS has an account with its email or username, but not both (${named(similar)})`);
  const isNameless = likenesses.every((likeness) => likeness.same.length === 0);
  if (isNameless && items.some(({ size, showsExternalIds }) => size > 0 && !showsExternalIds)) {
    return unsure(record, 'it has neither email nor username, and the items in the CMS have no external ids');
  }
  return { is: 'none' };
}

/** The payloads that a create of the record may have sent. What a mark or restore is to write is none of them. */
function createPayloads({ action, desired, unconfirmedPayloads }: ClaimedRecord): Payload[] {
  const unconfirmed = unconfirmedPayloads ?? [];
  const isOverwrite = action === 'mark' || action === 'restore';
  return isOverwrite && unconfirmed.length > 0 ? unconfirmed : [desired, ...unconfirmed];
}

async function unownedIds(
  traits: readonly Trait[],
  items: readonly ItemIndex[],
  { resource }: ClaimedRecord,
  { ledger }: DeliveryContext,
): Promise<number[]> {
  const ids = [...new Set(traits.flatMap((trait) => items.flatMap((index) => index.idsWith(trait))))];
  const owned = await ledger.records.owned(resource, ids);
  return ids.filter((id) => !owned.has(id));
}

function named(ids: readonly number[]): string {
  return `ids ${ids.slice(0, NAMED_IDS).join(', ')}${ids.length > NAMED_IDS ? ', …' : ''}`;
}

function unsure({ sync, key }: ClaimedRecord, reason: string): LookUpResult {
  const which = `name its item (feedferry explain ${sync} "${key}" --adopt ID)`;
  const again = `make it unique in the CMS and try again (feedferry retry ${sync} "${key}")`;
  return { is: 'unsure', reason: `${reason}. Either ${which}, or ${again}.` };
}
