import type { CmsItem } from '../../cms/client.ts';
import type { Payload } from '../../core/record.ts';
import type { ClaimedRecord } from '../../ledger/records/claimed-record.ts';
import type { DeliveryResult } from '../../ledger/records/delivery-result.ts';
import type { EditorState } from '../../ledger/records/editor-state.ts';
import { type Changes, needsLiveItem, respectEdits } from '../compare/authority.ts';
import { changedAttributes, changesOf } from '../compare/changes.ts';
import { type Fingerprints, fingerprintsOf, UNREAD } from '../compare/file-fingerprints.ts';
import type { DeliveryContext } from '../context/delivery-context.ts';
import { externalIdAttribute } from '../items/external-id.ts';
import { filterAttributes } from '../items/values.ts';
import { attempt } from './attempt.ts';
import { deletedInCms } from './deleted-in-cms.ts';
import { readOwnItem } from './own-item.ts';
import { patchItem } from './patch-item.ts';
import { uploadFiles } from './upload-files.ts';

/**
 * Sends the attributes of a record that differ from what was delivered, except those that an editor has changed in the CMS and
 * may keep. An item that the CMS no longer has (404) was deleted there.
 * @throws CmsError; CodedError FF_ATTACHMENT_… if a file cannot be read and the sync holds such records
 */
export async function updateRecord(
  record: DeliveredRecord,
  cmsId: number,
  context: DeliveryContext,
): Promise<DeliveryResult> {
  const sendable = await sendableChanges(record, cmsId, context);
  if (!sendable) return deletedInCms(record, cmsId, context);
  const { changes, delivered, editorState } = sendable;
  const files = await uploadFiles(withFilesOf(record, changes), context);
  return attempt({ uploads: files.uploads }, record, context, async () => {
    // A file may be the delivered one although its address has changed.
    const others = changedAttributes({ ...files.payload, ...externalIdAttribute(record, context) }, delivered);
    const body: Payload = { ...attributesOf(changes, record), ...others };
    const fingerprints = { ...record.deliveredAttachments, ...files.fingerprints };
    const deliveredAttachments = filterAttributes(fingerprints, (attribute) => body[attribute] !== null);
    const state = { delivered, deliveredAttachments, editorState, incomplete: files.incomplete };
    if (Object.keys(body).length === 0) return { is: 'unchanged', cmsId, ...state };

    const live = sendable.live ?? (await readOwnItem(record, cmsId, context));
    if (!live) return deletedInCms(record, cmsId, context);
    return patchItem(record, cmsId, { ...state, body, live }, context);
  });
}

type DeliveredRecord = ClaimedRecord & { delivered: Payload };

interface SendableChanges {
  changes: Changes;
  /** What was delivered; attributes that an editor has changed have the editor's value. */
  delivered: Payload;
  editorState: EditorState;
  live?: CmsItem;
}

/** The changes that may be sent; undefined if the item is missing. The live item is read only if an editor may have changed it. */
async function sendableChanges(
  record: DeliveredRecord,
  cmsId: number,
  context: DeliveryContext,
): Promise<SendableChanges | undefined> {
  const { authority = {} } = context.sync;
  const { delivered, deliveredAttachments: fingerprints, editorState } = record;
  const desired = { payload: record.desired, fingerprints: wantedFiles(record, context) };
  const changes = changesOf(desired, { payload: delivered, fingerprints, editorState }, authority);
  if (!needsLiveItem(changes, authority)) return { changes, delivered, editorState };

  const live = await readOwnItem(record, cmsId, context);
  if (!live) return undefined;
  const unconfirmed = record.unconfirmedPayloads ?? [];
  const checked = respectEdits(changes, live, { authority, editorState, delivered, unconfirmed });
  const { kept } = checked;
  return { changes: checked.changes, delivered: { ...delivered, ...kept }, editorState: checked.editorState, live };
}

/** A file that could not be read when the plan was made is tried again. */
function wantedFiles({ attachments }: ClaimedRecord, { sync }: Pick<DeliveryContext, 'sync'>): Fingerprints {
  const unread = attachments.filter(({ fingerprint }) => fingerprint === undefined);
  return {
    ...fingerprintsOf(attachments, sync),
    ...Object.fromEntries(unread.map(({ attribute }) => [attribute, UNREAD])),
  };
}

function withFilesOf(record: ClaimedRecord, changes: Changes): ClaimedRecord {
  const attachments = record.attachments.filter(({ attribute }) => Object.hasOwn(changes, attribute));
  return { ...record, attachments };
}

/** The changes other than files, which are uploaded first. */
function attributesOf(changes: Changes, { attachments }: ClaimedRecord): Payload {
  const files = new Set(attachments.map(({ attribute }) => attribute));
  return filterAttributes(changes, (attribute) => !files.has(attribute));
}
