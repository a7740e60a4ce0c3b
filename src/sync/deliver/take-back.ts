import type { CmsItem } from '../../cms/client.ts';
import { CodedError, toCodedError } from '../../core/errors.ts';
import { type ClaimedRecord, foundRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { itemsOf, unlessDeleted } from '../items/cms-items.ts';
import { externalIdOn } from '../items/external-id.ts';
import { readOwnItem } from './own-item.ts';

/**
 * Deletes the item of a create that came too late: this process was suspended before it sent the create, and meanwhile another
 * process has delivered the record with an item of its own. An item that may still be found and taken over is left alone. Does
 * not throw: an item that cannot be deleted is reported.
 */
export async function takeBackLate(
  record: ClaimedRecord,
  result: DeliveryResult,
  context: Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'ledger' | 'log'>,
): Promise<void> {
  if (result.is !== 'created' || result.sent?.method !== 'POST') return;
  const { ledger, log } = context;
  const { sync, key, resource } = record;
  const { cmsId } = result;
  try {
    const now = (await ledger.plans.known(sync, [key])).get(key);
    if (!now || now.cmsId === null || now.cmsId === cmsId || now.isUnconfirmed) return;
    if ((await ledger.records.ownersOf(resource, [cmsId])).has(cmsId)) return;
    await takeBack(record, { id: cmsId }, context);
    log.warn({ key, cmsId, kept: now.cmsId }, 'An item was deleted again: another process had created one meanwhile.');
  } catch (error) {
    const { code, message } = toCodedError(error);
    log.error({ key, cmsId, code }, `An item was created twice, and could not be deleted: ${message}`);
  }
}

/**
 * Deletes an item that a create has just made, as the CMS shows it.
 * @throws CmsError; CodedError FF_CMS_FOREIGN, FF_CMS_NOT_DELETED
 */
export async function takeBack(
  record: ClaimedRecord,
  { id: cmsId, ...shown }: CmsItem,
  context: Pick<DeliveryContext, 'sync' | 'target' | 'cms' | 'ledger'>,
): Promise<void> {
  // Also while the process stops: the item would be there twice, and nobody would know.
  const rescue = { ...context, call: { evenIfStopping: true } };
  const { item, ...found } = foundRecord(record, cmsId);
  const externalId = externalIdOn(shown, context.target.externalId);
  const madeByCms = externalId === undefined ? {} : { [context.target.externalId ?? '']: externalId };
  const late = { ...found, item: { ...item, madeByCms } };
  if (!(await readOwnItem(late, rescue))) return;
  await unlessDeleted(itemsOf(record.resource, rescue).delete(cmsId));
  if (await readOwnItem(late, rescue)) {
    throw new CodedError('FF_CMS_NOT_DELETED', `The CMS answered its delete, but still has item ${cmsId}.`);
  }
}
