import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { externalIdsOf } from '../items/external-id.ts';
import { externalIdTrait, likenessOf, type Trait } from '../search/item-traits.ts';
import { idList } from './match-groups.ts';

export type LookUpResult = { is: 'found'; cmsId: number } | { is: 'none' } | { is: 'unsure'; reason: string };

type LookUpContext = Pick<DeliveryContext, 'sync' | 'ledger' | 'search' | 'call'>;

/**
 * Looks for the item that an unconfirmed create of this record may have left in the CMS: by the external id, otherwise by the
 * attributes that identify such an item, in what is desired now and in what earlier creates may have sent. Items that belong
 * to other records are ignored. The item that is found belongs to the record from then on.
 * @throws CmsError if the CMS cannot be searched
 */
export async function findCreatedItem(record: ClaimedRecord, context: LookUpContext): Promise<LookUpResult> {
  for (;;) {
    const found = await look(record, context);
    if (found.is !== 'found') return found;
    const taking = await context.ledger.records.takeItem(record, found.cmsId);
    if (taking === 'taken') return found;
    if (taking === 'contested') return unsure(record, `another record is being matched with item ${found.cmsId}, too`);
  }
}

async function look(record: ClaimedRecord, { sync, ledger, search, call }: LookUpContext): Promise<LookUpResult> {
  const payloads = createPayloads(record);
  const likenesses = payloads.map((payload) => likenessOf(record.resource, payload));
  const indexes = await search.candidates(record, payloads, { instance: sync.instance, signal: call?.signal });

  const withExternalId = await unowned(externalIdsOf(record, sync).map(externalIdTrait));
  const same = withExternalId.length > 0 ? withExternalId : await unowned(likenesses.flatMap((each) => each.same));
  const [cmsId] = same;
  if (same.length > 1) return unsure(record, `the CMS has ${same.length} items that match it (${idList(same)})`);
  if (cmsId !== undefined) return { is: 'found', cmsId };

  const similar = await unowned(likenesses.flatMap((each) => each.similar));
  if (similar.length > 0) {
    return unsure(record, `the CMS has an account with its email or username, but not both (${idList(similar)})`);
  }
  const isNameless = likenesses.every((each) => each.same.length === 0);
  if (isNameless && indexes.some(({ size, showsExternalIds }) => size > 0 && !showsExternalIds)) {
    return unsure(record, 'it has neither email nor username, and the items in the CMS have no external ids');
  }
  return { is: 'none' };

  async function unowned(traits: readonly Trait[]): Promise<number[]> {
    const ids = [...new Set(traits.flatMap((trait) => indexes.flatMap((index) => index.idsWith(trait))))];
    const owned = await ledger.records.owned(record.resource, ids);
    return ids.filter((id) => !owned.has(id));
  }
}

/** The payloads that a create of the record may have sent. What a mark or restore is to write is none of them. */
function createPayloads({ action, desired, unconfirmedPayloads }: ClaimedRecord): Payload[] {
  const unconfirmed = unconfirmedPayloads ?? [];
  const isOverwrite = action === 'mark' || action === 'restore';
  return isOverwrite && unconfirmed.length > 0 ? unconfirmed : [desired, ...unconfirmed];
}

function unsure({ sync, key }: ClaimedRecord, reason: string): LookUpResult {
  const adopt = `name its item (feedferry explain ${sync} "${key}" --adopt ID)`;
  const retry = `make it unique in the CMS and try again (feedferry retry ${sync} "${key}")`;
  return { is: 'unsure', reason: `${reason}. Either ${adopt}, or ${retry}.` };
}
