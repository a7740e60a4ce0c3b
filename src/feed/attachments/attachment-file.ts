import { createHash } from 'node:crypto';
import type { AttachmentFile } from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import { safeFileName } from './file-name.ts';
import { uploadableType } from './media-types.ts';

/** Bytes and where they come from. */
export interface OpenedFile {
  /** For messages, without secrets. */
  place: string;
  /** Path or name that the file name is made of. */
  name: string;
  content: Blob;
}

/**
 * Names a file, and finds its type from its content.
 * @throws CodedError FF_ATTACHMENT_TYPE, FF_ATTACHMENT_UNREADABLE
 */
export async function describe({
  place,
  name,
  content,
}: OpenedFile): Promise<Pick<AttachmentFile, 'fileName' | 'mediaType' | 'content'>> {
  const type = await uploadableType(content).catch((cause: unknown) => {
    throw unreadable(place, cause);
  });
  if (type === undefined) {
    throw new CodedError('FF_ATTACHMENT_TYPE', `${place} is not a file that may be uploaded (judged by its content).`);
  }
  return { fileName: safeFileName(name, type.extensions), mediaType: type.mediaType, content };
}

/**
 * A file that lies on this machine as it is, so that there is nothing to dispose of.
 * @throws CodedError FF_ATTACHMENT_TOO_LARGE where it has more than `maxBytes`, FF_ATTACHMENT_TYPE, FF_ATTACHMENT_UNREADABLE
 */
export async function toFile(opened: OpenedFile, maxBytes: number): Promise<AttachmentFile> {
  if (opened.content.size > maxBytes) throw tooLarge(opened.place, maxBytes);
  const described = await describe(opened);
  const sha256 = await hashBlob(opened.content);
  return { ...described, sha256, fingerprint: sha256, [Symbol.asyncDispose]: async () => undefined };
}

/** Hex SHA-256 of the content, streamed. */
export async function hashBlob(content: Blob): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content.stream()) hash.update(chunk);
  return hash.digest('hex');
}

export function unreadable(place: string, cause: unknown): CodedError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = reason.startsWith(place) ? reason : `${place} could not be read: ${reason}`;
  return new CodedError('FF_ATTACHMENT_UNREADABLE', message, { cause });
}

/** @param maxBytes the cap, in bytes */
export function tooLarge(place: string, maxBytes: number): CodedError {
  return new CodedError('FF_ATTACHMENT_TOO_LARGE', `${place} has more than ${maxBytes} bytes.`);
}
