import { CodedError } from '../../core/errors.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { callOf } from '../items/cms-items.ts';
import { proveAbsence } from '../match/prove-absence.ts';

/** If the items of this many records are all missing, the CMS has probably lost them, rather than that editors deleted them. */
const SUSPICIOUS = 3;

/**
 * Result for a record whose item the CMS no longer has. The item is created again if the sync says so, or if a delete of ours
 * may have removed it; never for a mark or restore.
 * @throws CmsError; CodedError FF_CMS_UNPROVEN
 */
export async function deletedInCms(
  record: ClaimedRecord,
  cmsId: number,
  context: DeliveryContext,
): Promise<DeliveryResult> {
  const { key, action, deleteUnconfirmed } = record;
  await proveDeleted(record, cmsId, context);
  const recreate = action === null && (deleteUnconfirmed || context.sync.onDeletedInCms === 'recreate');
  const reason = `"${key}" was deleted in the CMS, where it was item ${cmsId}.`;
  return { is: 'deleted', recreate, createUnconfirmed: recreate, code: 'FF_CMS_DELETED', reason };
}

/**
 * Believes a 404 only if the list of the CMS agrees.
 * @throws CmsError; CodedError FF_CMS_UNPROVEN
 */
export async function proveDeleted(record: ClaimedRecord, cmsId: number, context: DeliveryContext): Promise<void> {
  const first = await look();
  const absence = first.is === 'likely' ? await look() : first;
  if (absence.is === 'unproven') throw unproven(`but ${absence.reason}`);
  if (absence.is === 'unwitnessed' && absence.missing >= SUSPICIOUS) {
    throw unproven(`and for the ${absence.missing} records that were delivered last: the CMS may have lost items`);
  }

  async function look() {
    const since = { ...record, quietSince: context.runtime.monotonic() };
    const indexes = await context.search.candidates(since, [record.delivered ?? record.desired], callOf(context));
    if (indexes.some(({ sightings }) => sightings.has(cmsId))) throw unproven('but its list shows it');
    return proveAbsence(record, indexes, context);
  }

  function unproven(doubt: string): CodedError {
    return new CodedError('FF_CMS_UNPROVEN', `"${record.key}": the CMS returns 404 for item ${cmsId}, ${doubt}.`);
  }
}
