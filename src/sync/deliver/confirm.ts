import { isDeepStrictEqual } from 'node:util';
import type { CmsItem } from '../../cms/client.ts';
import { type Payload, UNKNOWN, unknown } from '../../core/record.ts';
import type { Sent } from '../../ledger/attempts/deliveries.ts';
import type { ClaimedRecord, RecordWithItem } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import { rememberWritten } from '../compare/authority.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { addedByCms, partsOf, rewrittenByCms } from '../items/item-images.ts';
import { filterAttributes } from '../items/values.ts';
import type { FoundPatch, Patch } from './bodies.ts';
import { checkCreated } from './own-item.ts';
import type { FilePayload } from './without-files.ts';

// What the ledger remembers of an item once the CMS has confirmed it.

/**
 * The result of a create, or of the PATCH that completes one.
 * @param item as the CMS has answered
 * @param wanted everything that the record wants of its item
 * @param found absent: all of it was written
 * @throws CodedError FF_CMS_FOREIGN if the item is not what was sent
 */
export function confirmCreated(
  { record, files, context }: { record: ClaimedRecord; files: FilePayload; context: DeliveryContext },
  { item, wanted, sent }: { item: CmsItem; wanted: Payload; sent: Sent },
  found?: FoundPatch,
): DeliveryResult {
  const { body, kept, editorState } = found ?? { body: wanted, kept: {}, editorState: {} };
  const unsetFiles = 'item' in record ? unknown(filesWithout(record, files)) : {};
  const delivered: Payload = { ...unsetFiles, ...wanted, ...kept };
  const isDelivered = (attribute: string) => isDeepStrictEqual(delivered[attribute], wanted[attribute]);
  const unknownYet = filterAttributes(kept, (_, value) => value === UNKNOWN);
  // In attributes that were not written, a different value is not what the CMS made of ours.
  const isLeft = (attribute: string) => !Object.hasOwn(body, attribute) && !Object.hasOwn(unknownYet, attribute);
  const unedited = { ...item, ...filterAttributes(wanted, isLeft) };
  const made = rewrittenByCms(wanted, unedited);
  checkCreated(item, { ...record, desired: { ...wanted, ...kept } }, context);
  return {
    is: 'created',
    cmsId: item.id,
    sent: {
      ...sent,
      after: { ...addedByCms(wanted, unedited, record.resource), ...made, ...partsOf(item, unknownYet) },
    },
    delivered,
    madeByCms: made,
    deliveredAttachments: filterAttributes(files.fingerprints, isDelivered),
    editorState: rememberWritten(editorState, body, item, context.sync.authority ?? {}),
    incomplete: files.incomplete,
    unlistedMs: context.target.lookupAfterMs,
  };
}

/** The files that could not be read now: an earlier create may have sent others. */
function filesWithout({ attachments }: ClaimedRecord, { payload }: FilePayload): string[] {
  return attachments.map(({ attribute }) => attribute).filter((attribute) => !Object.hasOwn(payload, attribute));
}

/** The result of a PATCH. @param item as the CMS has answered */
export function confirmPatched(
  { item: before }: RecordWithItem,
  { body, delivered, deliveredAttachments, editorState, incomplete }: Patch,
  { item, sent, attributesBeforeMark }: { item: CmsItem; sent: Sent; attributesBeforeMark: Payload | null },
  { sync }: Pick<DeliveryContext, 'sync'>,
): DeliveryResult {
  const made = rewrittenByCms(body, item);
  return {
    is: 'updated',
    cmsId: before.cmsId,
    sent: { ...sent, after: made },
    delivered: { ...delivered, ...body },
    deliveredAttachments,
    madeByCms: { ...filterAttributes(before.madeByCms, (attribute) => !Object.hasOwn(body, attribute)), ...made },
    editorState: rememberWritten(editorState, body, item, sync.authority ?? {}),
    attributesBeforeMark,
    incomplete,
  };
}

/** The result if nothing had to be sent. */
export function confirmUnchanged(
  { goal, item }: RecordWithItem,
  { delivered, deliveredAttachments, editorState, incomplete }: Patch,
): DeliveryResult {
  const isMark = goal.is === 'exactly' && goal.as === 'mark';
  const attributesBeforeMark = isMark ? item.attributesBeforeMark : null;
  const content = { delivered, deliveredAttachments, editorState, incomplete };
  return { is: 'unchanged', cmsId: item.cmsId, ...content, attributesBeforeMark };
}
