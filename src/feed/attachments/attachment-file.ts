import { createHash } from 'node:crypto';
import type { AttachmentFile } from '../../core/attachment.ts';
import { CodedError, messageOf } from '../../core/errors.ts';
import { imageSize } from '../../core/pictures/image-size.ts';
import { PrivateAddressError } from '../location/private-address.ts';

const MAX_LENGTH = 100;

/** The media types that may be uploaded, with their file extensions; the first extension is added to names without one. */
const uploadable: Record<string, readonly string[]> = {
  'image/png': ['png'],
  'image/apng': ['png', 'apng'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'application/pdf': ['pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'audio/mpeg': ['mp3'],
  'video/mp4': ['mp4', 'm4v'],
};

/** Readers of PDF look for its signature in so many bytes (ISO 32000-1, annex H.3.4.1). */
const PDF_WITHIN = 1024;

const SIZE_WITHIN = 1024 * 1024;

/** Content of a file, and its origin. */
export interface OpenedFile {
  /** For messages, without secrets. */
  place: string;
  /** Path or name from which the file name is made. */
  name: string;
  content: Blob;
}

/**
 * Determines the name and the media type of a file. The type is detected from the content: SVG and HTML, which may contain
 * scripts, have no signature and are refused.
 * @throws CodedError FF_ATTACHMENT_TYPE or FF_ATTACHMENT_UNREADABLE
 */
export async function describe({ place, name, content }: OpenedFile) {
  const type = await typeOf(content).catch((cause: unknown) => {
    throw unreadable(place, cause);
  });
  const extensions = type && uploadable[type.mime];
  if (type === undefined || extensions === undefined) {
    const kind = type?.mime ?? (await textKindOf(content));
    const message = `${place} has no file type that may be uploaded: judged by its content, it is ${kind}.`;
    throw new CodedError('FF_ATTACHMENT_TYPE', message);
  }
  const { width } = imageSize(type.mime, await beginningOf(content, type.mime)) ?? {};
  const facts = { mediaType: type.mime, bytes: content.size, ...(width !== undefined && { width }) };
  return { fileName: safeFileName(name, extensions), mediaType: type.mime, facts, content };
}

/** The part of a picture in which its size is. Photos have previews and colours before it. */
async function beginningOf(content: Blob, mediaType: string): Promise<Buffer> {
  if (!mediaType.startsWith('image/')) return Buffer.alloc(0);
  return Buffer.from(await content.slice(0, SIZE_WITHIN).arrayBuffer());
}

/** What content without a signature is, in words. */
async function textKindOf(content: Blob): Promise<string> {
  const beginning = (await content.slice(0, 1024).text()).trimStart();
  const first = afterComments(beginning.replace(/^<\?xml[^>]*>/i, ''));
  if (/^<(!doctype svg|svg)\b/i.test(first)) return 'an SVG, which may contain scripts';
  if (/^<(!doctype html|html|head|body|form)\b/i.test(first)) return 'a web page, such as a log-in or error page';
  return content.size === 0 ? 'empty' : 'unknown';
}

/** Skips white space and the comments of XML or HTML. A regular expression for them would take exponential time. */
function afterComments(text: string): string {
  const rest = text.trimStart();
  const end = rest.startsWith('<!--') ? rest.indexOf('-->', 4) : -1;
  return end === -1 ? rest : afterComments(rest.slice(end + 3));
}

/** Returns the type of content by its signature. Readers of PDF allow bytes before it; here only white space, as no other type begins so. */
async function typeOf(content: Blob) {
  const { fileTypeFromBlob } = await import('file-type');
  const type = await fileTypeFromBlob(content);
  if (type !== undefined) return type;
  const beginning = Buffer.from(await content.slice(0, PDF_WITHIN).arrayBuffer()).toString('latin1');
  const blank = /^\s+(?=%PDF-)/.exec(beginning)?.[0].length;
  return blank === undefined ? undefined : fileTypeFromBlob(content.slice(blank));
}

/**
 * Describes and hashes content that needs no disposal.
 * @throws CodedError FF_ATTACHMENT_TOO_LARGE, FF_ATTACHMENT_TYPE or FF_ATTACHMENT_UNREADABLE
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

function whyOf(cause: unknown): string {
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT' ? 'the file does not exist' : messageOf(cause);
}

/** Translates an error of reading a file. The message of a CodedError already names the place. */
export function unreadable(place: string, cause: unknown): CodedError {
  const message = cause instanceof CodedError ? cause.message : `Cannot read ${place}: ${whyOf(cause)}.`;
  const remedy = cause instanceof PrivateAddressError ? cause.remedy : undefined;
  return new CodedError('FF_ATTACHMENT_UNREADABLE', message, { cause, remedy });
}

export function tooLarge(place: string, maxBytes: number): CodedError {
  return new CodedError('FF_ATTACHMENT_TOO_LARGE', `${place} has more than ${maxBytes} bytes.`);
}

/** Makes a file name that is safe everywhere: the last segment of a path, plain characters, and a matching extension. */
export function safeFileName(path: string, extensions: readonly string[]): string {
  const last = path.split(/[\\/]/).at(-1) ?? '';
  const plain = last
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._ -]+/gu, '-')
    .replace(/\s+/g, ' ')
    .replace(/^[.\s-]+|(?<![.\s-])[.\s-]+$/g, '');
  const [, stem = plain, ending = ''] = /^(.*)\.([^.]*)$/.exec(plain) ?? [];
  const fits = extensions.includes(ending.toLowerCase());
  const base = (fits ? stem : plain).slice(0, MAX_LENGTH).replace(/(?<![.\s-])[.\s-]+$/, '') || 'file';
  return `${base}.${fits ? ending.toLowerCase() : (extensions[0] ?? 'bin')}`;
}
