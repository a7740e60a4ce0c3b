import { CodedError } from '../../core/errors.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import { rememberWritten } from '../compare/authority.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { itemsOf, unlessGone } from '../items/cms-items.ts';
import { imageOf, keepBefore, madeOf } from './before-image.ts';
import { deletedInCms } from './deleted-in-cms.ts';
import type { DeliverySoFar } from './delivery.ts';
import { editedSince } from './edited-since.ts';
import { lookUp } from './look-up.ts';

/**
 * Writes the desired attributes of a record, all of them and nothing else: marks it since the source has it no more, or
 * restores what was there before. Files are set by what the CMS calls them; nothing is uploaded. Where a create may have
 * been applied, its item is looked up first.
 * @throws CmsError
 */
export async function overwriteRecord(
  record: ClaimedRecord,
  delivery: DeliverySoFar,
  context: DeliveryContext,
): Promise<Outcome> {
  const cmsId = record.cmsId ?? (await lookUp(asCreated(record), delivery, context));
  if (cmsId instanceof CodedError) return { is: 'held', error: cmsId };
  if (cmsId === undefined) return { is: 'removed' };
  const items = itemsOf(record.resource, context);
  const body = record.desired;
  const needsLive = record.action === 'mark' || record.expectedItemHash !== null || context.keepsBefore;
  const live = needsLive ? await unlessGone(items.get(cmsId)) : undefined;
  if (needsLive && !live) return deletedInCms(record, cmsId);
  const edit = live && editedSince(record, live);
  if (edit) return { is: 'held', error: edit };
  const before = live && (await keepBefore(record, body, live, context));

  delivery.sent = { method: 'PATCH', attributes: Object.keys(body), ...imageOf(before, record.delivered) };
  const item = await unlessGone(items.patch(cmsId, body));
  if (!item) return deletedInCms(record, cmsId);
  delivery.sent.after = madeOf(body, item);
  delivery.delivered = { ...delivery.delivered, ...body };
  delivery.editorState = rememberWritten(delivery.editorState, body, item, context.sync.authority ?? {});
  // Which file it is now, no fingerprint tells: the source's next word on it is compared anew.
  const files = Object.entries(delivery.fingerprints).filter(([attribute]) => !Object.hasOwn(body, attribute));
  delivery.fingerprints = Object.fromEntries(files);
  return { is: 'updated', cmsId };
}

/** By what it was created with it is found, not by what is to be written. */
function asCreated(record: ClaimedRecord): ClaimedRecord {
  const [desired = record.desired, ...unconfirmedPayloads] = record.unconfirmedPayloads ?? [];
  return { ...record, desired, unconfirmedPayloads };
}
