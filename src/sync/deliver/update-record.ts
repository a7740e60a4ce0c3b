import type { CmsItem } from '../../cms/client.ts';
import type { Outcome } from '../../core/outcome.ts';
import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import { type Changes, needsLiveItem, rememberWritten, respectEdits } from '../compare/authority.ts';
import { changedAttributes, changesOf } from '../compare/changes.ts';
import { type Fingerprints, fingerprintsOf } from '../compare/file-fingerprints.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { itemsOf, unlessGone } from '../items/cms-items.ts';
import { externalIdAttribute } from '../items/external-id.ts';
import { imageOf, keepBefore, madeOf } from './before-image.ts';
import { deletedInCms } from './deleted-in-cms.ts';
import type { DeliverySoFar } from './delivery.ts';
import { uploadFiles } from './upload-files.ts';

/**
 * Sends the attributes of a record that differ from what was delivered, but for those in which the CMS has the last word.
 * Where the CMS has the item no more (404), somebody deleted it there.
 * @throws CmsError; CodedError FF_ATTACHMENT_… where a file is unreadable and the sync holds such records
 */
export async function updateRecord(
  record: ClaimedRecord,
  cmsId: number,
  delivery: DeliverySoFar,
  context: DeliveryContext,
): Promise<Outcome> {
  const { authority = {} } = context.sync;
  const sending = await sendable(record, cmsId, delivery, context);
  if (!sending) return deletedInCms(record, cmsId);
  const { changes } = sending;
  const files = await uploadFiles(withFilesOf(record, changes), context);
  delivery.uploads = files.uploads;
  delivery.incomplete = files.incomplete;
  delivery.fingerprints = { ...delivery.fingerprints, ...files.fingerprints };
  // A file may have come from another address and yet be the one delivered.
  const marked = changedAttributes({ ...files.payload, ...externalIdAttribute(record, context) }, delivery.delivered);
  const body = { ...attributesOf(changes, record), ...marked };
  if (Object.keys(body).length === 0) return { is: 'unchanged', cmsId };

  const items = itemsOf(record.resource, context);
  const live = sending.live ?? (context.keepsBefore ? await unlessGone(items.get(cmsId)) : undefined);
  if (context.keepsBefore && !live) return deletedInCms(record, cmsId);
  const before = context.keepsBefore && live ? await keepBefore(record, body, live, context) : undefined;
  delivery.sent = { method: 'PATCH', attributes: Object.keys(body), ...imageOf(before, record.delivered) };
  const item = await unlessGone(items.patch(cmsId, body));
  if (!item) return deletedInCms(record, cmsId);
  delivery.sent.after = madeOf(body, item);
  delivery.delivered = { ...delivery.delivered, ...body };
  delivery.fingerprints = withoutCleared(delivery.fingerprints, body);
  delivery.editorState = rememberWritten(delivery.editorState, body, item, authority);
  return { is: 'updated', cmsId };
}

/**
 * The changes that may be sent; undefined where the item is gone. The live item is read here only where an editor may
 * have been at them.
 */
async function sendable(
  record: ClaimedRecord,
  cmsId: number,
  delivery: DeliverySoFar,
  context: DeliveryContext,
): Promise<{ changes: Changes; live?: CmsItem } | undefined> {
  const { authority = {} } = context.sync;
  const { editorState, fingerprints } = delivery;
  const desired = { payload: record.desired, fingerprints: wantedFiles(record, context) };
  const changes = changesOf(desired, { payload: record.delivered, fingerprints, editorState }, authority);
  if (!needsLiveItem(changes, authority)) return { changes };

  const live = await unlessGone(itemsOf(record.resource, context).get(cmsId));
  if (!live) return undefined;
  const verdict = respectEdits(changes, live, { authority, editorState, delivered: delivery.delivered });
  delivery.delivered = { ...delivery.delivered, ...verdict.kept };
  delivery.editorState = verdict.editorState;
  return { changes: verdict.changes, live };
}

/** A file that could not be read when the plan was made is tried again: no fingerprint is that of its content. */
function wantedFiles({ attachments }: ClaimedRecord, { sync }: DeliveryContext): Fingerprints {
  const unread = attachments.filter(({ fingerprint }) => fingerprint === undefined);
  return {
    ...fingerprintsOf(attachments, sync),
    ...Object.fromEntries(unread.map(({ attribute }) => [attribute, ''])),
  };
}

function withFilesOf(record: ClaimedRecord, changes: Changes): ClaimedRecord {
  const attachments = record.attachments.filter(({ attribute }) => Object.hasOwn(changes, attribute));
  return { ...record, attachments };
}

/** The changes that stand for themselves: all but the files, which are uploaded first. */
function attributesOf(changes: Changes, { attachments }: ClaimedRecord): Payload {
  const files = new Set(attachments.map(({ attribute }) => attribute));
  return Object.fromEntries(Object.entries(changes).filter(([attribute]) => !files.has(attribute)));
}

function withoutCleared(fingerprints: Record<string, string>, sent: Payload): Record<string, string> {
  return Object.fromEntries(Object.entries(fingerprints).filter(([attribute]) => sent[attribute] !== null));
}
