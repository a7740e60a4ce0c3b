import type { AttachmentFile } from '../core/attachment.ts';
import { CodedError } from '../core/errors.ts';
import type { Payload } from '../core/record.ts';
import type { ClaimedRecord, StagedAttachment } from '../ledger/claims.ts';
import type { UploadKey } from '../ledger/uploads.ts';
import type { DeliveryContext } from './context.ts';

/** The attributes `{ src }` of a record's new files, and which fingerprints they stand for. */
export interface UploadedFiles {
  payload: Payload;
  fingerprints: Record<string, string>;
  uploads: number;
  /** A file could not be read, and the record goes without it for now. */
  incomplete: boolean;
}

/**
 * Brings the files of a record that the CMS does not have yet to it (API: "Event file upload"), once for each attribute
 * and content, and answers the values that set them.
 * @throws CmsError from the upload; CodedError FF_ATTACHMENT_… where a file is unreadable and the sync holds such records
 */
export async function uploadFiles(record: ClaimedRecord, context: DeliveryContext): Promise<UploadedFiles> {
  const files: UploadedFiles = { payload: {}, fingerprints: {}, uploads: 0, incomplete: false };
  for (const attachment of record.attachments) {
    if (attachment.fingerprint && attachment.fingerprint === record.deliveredAttachments[attachment.attribute])
      continue;
    try {
      const { src, uploaded } = await uploadOnce(attachment, context);
      files.payload[attachment.attribute] = { src };
      files.uploads += uploaded ? 1 : 0;
      if (attachment.fingerprint) files.fingerprints[attachment.attribute] = attachment.fingerprint;
    } catch (error) {
      if (!isUnreadable(error) || context.sync.onAttachmentError === 'hold') throw error;
      files.incomplete = true;
      context.log.warn({ key: record.key, attribute: attachment.attribute, code: error.code }, error.message);
    }
  }
  return files;
}

async function uploadOnce(
  { attribute, source, fingerprint }: StagedAttachment,
  context: DeliveryContext,
): Promise<{ src: string; uploaded: boolean }> {
  const { ledger, attachments, destination, uploading } = context;
  // The fingerprint of a local file is its content's hash: then the file need not be opened to know it.
  const byFingerprint = fingerprint && (await ledger.uploads.find({ destination, attribute, sha256: fingerprint }));
  if (byFingerprint) return { src: byFingerprint, uploaded: false };

  const file = await attachments.read(source);
  const key = { destination, attribute, sha256: file.sha256 };
  const known = await ledger.uploads.find(key);
  if (known) return { src: known, uploaded: false };

  // Many records may share a file: who comes while it is on its way waits for it.
  const id = JSON.stringify(key);
  const onItsWay = uploading.get(id);
  if (onItsWay) return { src: await onItsWay, uploaded: false };
  const upload = send(key, file, context).finally(() => uploading.delete(id));
  uploading.set(id, upload);
  return { src: await upload, uploaded: true };
}

async function send(key: UploadKey, file: AttachmentFile, { cms, ledger, sync }: DeliveryContext): Promise<string> {
  const { src } = await cms.upload(key.attribute, file, sync.instance ? { instance: sync.instance } : {});
  await ledger.uploads.add(key, src);
  return src;
}

function isUnreadable(error: unknown): error is CodedError {
  return error instanceof CodedError && error.code.startsWith('FF_ATTACHMENT_');
}
