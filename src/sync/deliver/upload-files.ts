import { CmsError } from '../../cms/errors.ts';
import { type AttachmentFile, parseFingerprint, remoteFingerprint } from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import type { Json, Payload } from '../../core/record.ts';
import type { UploadKey } from '../../ledger/files/uploads.ts';
import type { ClaimedRecord, StagedAttachment } from '../../ledger/records/claimed-record.ts';
import type { BroughtFile, DeliveryContext } from '../context/delivery-context.ts';

/** The attributes `{ src }` of a record's new files, and the fingerprints of what they hold. */
export interface UploadedFiles {
  payload: Payload;
  fingerprints: Record<string, string>;
  uploads: number;
  /** A file could not be brought, and the record goes without it for now. */
  incomplete: boolean;
}

/**
 * Brings the files of a record that the CMS does not have yet to it (API: "Event file upload"), once for each attribute
 * and content, and answers the values that set them.
 * @throws CmsError where an upload may succeed later; CodedError FF_ATTACHMENT_… where a file cannot be had or the CMS does
 * not take it, and the sync holds such records
 */
export async function uploadFiles(record: ClaimedRecord, context: DeliveryContext): Promise<UploadedFiles> {
  const files: UploadedFiles = { payload: {}, fingerprints: {}, uploads: 0, incomplete: false };
  for (const attachment of record.attachments) {
    const { attribute } = attachment;
    if (attachment.fingerprint && attachment.fingerprint === record.deliveredAttachments[attribute]) continue;
    try {
      const { src, fingerprint, uploaded } = await bring(attachment, context);
      files.payload[attribute] = { src };
      files.fingerprints[attribute] = fingerprint;
      files.uploads += uploaded ? 1 : 0;
    } catch (error) {
      const failure = fileFailure(error, record, context);
      if (!failure || context.sync.onAttachmentError === 'hold') throw failure ?? error;
      files.incomplete = true;
      context.log.warn({ key: record.key, attribute, code: failure.code }, failure.message);
    }
  }
  return files;
}

/** The failure of a file that waiting does not help, be it that no attempt is left. */
function fileFailure(error: unknown, { attempts }: ClaimedRecord, { target }: DeliveryContext): CodedError | undefined {
  if (error instanceof CmsError) {
    const isLast = error.kind === 'retryable' && attempts + 1 >= target.maxAttempts;
    if (error.kind !== 'permanent' && !isLast) return undefined;
    return new CodedError('FF_ATTACHMENT_UPLOAD', error.message, { cause: error });
  }
  return error instanceof CodedError && error.code.startsWith('FF_ATTACHMENT_') ? error : undefined;
}

async function bring(attachment: StagedAttachment, context: DeliveryContext): Promise<BroughtFile> {
  const { attribute, source, fingerprint } = attachment;
  const known = fingerprint && (await uploadedBefore(attribute, fingerprint, context));
  if (known) return known;
  const file = [context.targetId, attribute, fingerprint ?? source];
  return shared(file, context, () => fetchAndUpload(attachment, context));
}

/** Where the content of a file is known, it need not be opened to know that the CMS has it. */
async function uploadedBefore(
  attribute: string,
  fingerprint: string,
  { ledger, targetId }: DeliveryContext,
): Promise<BroughtFile | undefined> {
  const content = await contentOf(fingerprint, ledger);
  if (!content) return undefined;
  const src = await ledger.files.findUpload({ targetId, attribute, sha256: content.sha256 });
  return src === undefined ? undefined : { src, fingerprint: content.fingerprint, uploaded: false };
}

/** What was not known of a file when the plan was made may be known since: another record has it, too. */
async function contentOf(fingerprint: string, { files }: DeliveryContext['ledger']) {
  const known = parseFingerprint(fingerprint);
  if ('sha256' in known) return { sha256: known.sha256, fingerprint };
  const fetched = await files.find(known.locationHash);
  return fetched && { sha256: fetched.sha256, fingerprint: remoteFingerprint(known.locationHash, fetched.sha256) };
}

async function fetchAndUpload({ attribute, source }: StagedAttachment, context: DeliveryContext): Promise<BroughtFile> {
  const file = await context.attachments.read(source, context.call?.signal);
  try {
    const { sha256, fingerprint } = file;
    const key: UploadKey = { targetId: context.targetId, attribute, sha256 };
    const src = await context.ledger.files.findUpload(key);
    if (src !== undefined) return { src, fingerprint, uploaded: false };
    // The same content may be on its way from another address.
    const sent = await shared({ ...key }, context, () => send(key, file, context));
    return { ...sent, fingerprint };
  } finally {
    await file[Symbol.asyncDispose]();
  }
}

async function send(
  key: UploadKey,
  file: AttachmentFile,
  { cms, ledger, sync, call }: DeliveryContext,
): Promise<BroughtFile> {
  const { src } = await cms.upload(key.attribute, file, { instance: sync.instance, signal: call?.signal });
  await ledger.files.addUpload(key, src);
  return { src, fingerprint: file.fingerprint, uploaded: true };
}

/** Many records may share a file: who comes while it is on its way waits for it. */
async function shared(
  file: Json,
  { uploading }: DeliveryContext,
  work: () => Promise<BroughtFile>,
): Promise<BroughtFile> {
  const id = JSON.stringify(file);
  const onItsWay = uploading.get(id);
  if (onItsWay) return { ...(await onItsWay), uploaded: false };
  const brought = work().finally(() => uploading.delete(id));
  uploading.set(id, brought);
  return brought;
}
