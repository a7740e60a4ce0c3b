import { CmsError } from '../../cms/errors.ts';
import { type AttachmentFile, parseFingerprint, remoteFingerprint } from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import { isFileWithAlt } from '../../core/ignored-attributes.ts';
import type { Json } from '../../core/record.ts';
import type { UploadKey } from '../../ledger/files/known-files.ts';
import { type ClaimedRecord, itemOf, type StagedAttachment } from '../../ledger/records/claimed-record.ts';
import { fileIdOf } from '../compare/file-fingerprints.ts';
import type { DeliveryContext, UploadedFile } from '../context/delivery-context.ts';
import { fileValue } from '../items/alt-text.ts';
import { noFiles } from './bodies.ts';
import { type FailedFile, type FilePayload, withoutFiles } from './without-files.ts';

/** The files that the item of a record lacks, or may lack. */
export interface MissingFiles {
  due: readonly StagedAttachment[];
  /** They were tried in vain before, and are not to be tried yet. */
  waiting: readonly StagedAttachment[];
}

/** So many digits tell millions of files apart. */
const HASH_LENGTH = 12;

type UploadContext = Pick<
  DeliveryContext,
  'sync' | 'target' | 'targetId' | 'ledger' | 'cms' | 'attachments' | 'uploading' | 'log' | 'call' | 'runtime'
>;

/**
 * Uploads the files of a record that the CMS does not have yet (API: "Event file upload"), once for each attribute and
 * content.
 * @throws CmsError if an upload may succeed later; CodedError FF_ATTACHMENT_… if a file cannot be read or the CMS refuses it,
 * and the sync holds such records
 */
export async function uploadFiles(
  record: ClaimedRecord,
  { due, waiting }: MissingFiles,
  context: UploadContext,
): Promise<FilePayload> {
  if (due.length + waiting.length === 0) return noFiles;
  const files: FilePayload = { payload: {}, fingerprints: {}, uploads: 0 };
  const failures: FailedFile[] = [];
  for (const attachment of due) {
    const { attribute } = attachment;
    try {
      const { src, fingerprint, uploaded } = await toCms(attachment, context);
      files.payload[attribute] = fileValue(src, attachment.alt ?? clearedAlt(itemOf(record)?.delivered?.[attribute]));
      files.fingerprints[attribute] = fileIdOf({ ...attachment, fingerprint });
      if (uploaded) files.uploads += 1;
    } catch (error) {
      const failure = finalFailure(error, record, context);
      if (!failure || context.sync.onAttachmentError === 'hold') throw failure ?? error;
      failures.push({ attribute, file: await idOf(attachment, context), error: failure });
      context.log.warn({ key: record.key, attribute, code: failure.code }, failure.message);
    }
  }
  const kept = waiting.map(({ attribute }) => attribute);
  return { ...files, incomplete: withoutFiles({ kept, failures }, itemOf(record), context) };
}

/** An alternative text that was sent is cleared if the source no longer has it. */
function clearedAlt(delivered: Json | undefined): string | undefined {
  return isFileWithAlt(delivered) ? '' : undefined;
}

/** Which file was tried: its content may be known by now, although the CMS did not take it. */
async function idOf(attachment: StagedAttachment, { ledger }: UploadContext): Promise<string> {
  const content = attachment.fingerprint && (await contentOf(attachment.fingerprint, ledger));
  return fileIdOf(content ? { ...attachment, fingerprint: content.fingerprint } : attachment);
}

/** The failure of a file if another attempt of this delivery would not help; undefined for any other error. */
function finalFailure(error: unknown, { attempts }: ClaimedRecord, { target }: UploadContext): CodedError | undefined {
  if (error instanceof CmsError) {
    if (error.code === 'FF_CMS_ABORTED') return undefined;
    const isLast = error.kind === 'retryable' && attempts + 1 >= target.maxAttempts;
    if (error.kind !== 'permanent' && !isLast) return undefined;
    return new CodedError('FF_ATTACHMENT_UPLOAD', error.message, { cause: error });
  }
  return error instanceof CodedError && error.code.startsWith('FF_ATTACHMENT_') ? error : undefined;
}

/** Finds or uploads a file. The look-up is part of the shared upload: an earlier answer may be older than another upload. */
function toCms({ attribute, source, fingerprint }: StagedAttachment, context: UploadContext): Promise<UploadedFile> {
  return once([context.targetId, attribute, fingerprint ?? source], context, async () => {
    const known = fingerprint && (await uploadedBefore(attribute, fingerprint, context));
    return known || readAndUpload();
  });

  async function readAndUpload(): Promise<UploadedFile> {
    const file = await context.attachments.read(source, context.call?.stopping);
    try {
      const { sha256, fingerprint } = file;
      const key: UploadKey = { targetId: context.targetId, attribute, sha256 };
      // The same content may be being uploaded from another address.
      const uploaded = await once({ ...key }, context, () => uploadUnlessKnown(key, file, context));
      return { ...uploaded, fingerprint };
    } finally {
      await file[Symbol.asyncDispose]();
    }
  }
}

/** Looks for an earlier upload of the file. A file whose content is known need not be opened for that. */
async function uploadedBefore(
  attribute: string,
  fingerprint: string,
  { ledger, targetId }: UploadContext,
): Promise<UploadedFile | undefined> {
  const content = await contentOf(fingerprint, ledger);
  if (!content) return undefined;
  const src = await ledger.files.findUpload({ targetId, attribute, sha256: content.sha256 });
  return src === undefined ? undefined : { src, fingerprint: content.fingerprint, uploaded: false };
}

/** The content of a file. If it was unknown when the plan was made, another record with the same file may have made it known. */
async function contentOf(fingerprint: string, { files }: UploadContext['ledger']) {
  const known = parseFingerprint(fingerprint);
  if ('sha256' in known) return { sha256: known.sha256, fingerprint };
  const fetched = await files.find(known.locationHash);
  return fetched && { sha256: fetched.sha256, fingerprint: remoteFingerprint(known.locationHash, fetched.sha256) };
}

async function uploadUnlessKnown(
  key: UploadKey,
  file: AttachmentFile,
  { cms, ledger, sync, call }: UploadContext,
): Promise<UploadedFile> {
  const known = await ledger.files.findUpload(key);
  if (known !== undefined) return { src: known, fingerprint: file.fingerprint, uploaded: false };
  // A CMS that stores files by their names would replace another file with the same name. The hash is first, because long names are cut.
  const fileName = `${file.sha256.slice(0, HASH_LENGTH)}-${file.fileName}`;
  const { src } = await cms.upload(
    key.attribute,
    { ...file, fileName },
    { instance: sync.instance, signal: call?.signal },
  );
  const isTaken = await ledger.files.addUpload(key, src);
  if (isTaken) {
    const message = `The CMS stored ${fileName} (attribute ${key.attribute}) as ${src}, the path of another file that was uploaded before.`;
    throw new CodedError('FF_ATTACHMENT_SAME_PATH', message);
  }
  return { src, fingerprint: file.fingerprint, uploaded: true };
}

/** Deliveries that need the same file at the same time share one upload. */
async function once(
  file: Json,
  { uploading }: UploadContext,
  work: () => Promise<UploadedFile>,
): Promise<UploadedFile> {
  const id = JSON.stringify(file);
  const underWay = uploading.get(id);
  if (underWay) return { ...(await underWay), uploaded: false };
  const uploaded = work().finally(() => uploading.delete(id));
  uploading.set(id, uploaded);
  return uploaded;
}
