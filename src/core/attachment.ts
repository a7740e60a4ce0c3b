import { sha256 } from './hash.ts';
import type { AttachmentSource } from './record.ts';
import type { FeedValidators } from './source-reading.ts';

/** What rules judge of a file. */
export interface FileFacts {
  /** Detected from the content. */
  mediaType: string;
  bytes: number;
  /** Of a picture, in pixels; absent: its type does not show it. */
  width?: number;
}

/** A file ready to be uploaded. Disposing it removes its copy on this machine. */
export interface AttachmentFile extends AsyncDisposable {
  fileName: string;
  /** Detected from the content, not from the name. */
  mediaType: string;
  facts: FileFacts;
  /** Backed by a file, so that it is streamed; not readable after disposal. */
  content: Blob;
  /** Hex SHA-256 of the content. */
  sha256: string;
  /** Fingerprint of this content, whatever the content of the source was before. */
  fingerprint: string;
}

/** The known state of a file, without downloading it. */
export interface FileState {
  /**
   * Changes when the file does. For local files and inline data, the hex SHA-256 of the content; for a remote file, `url:` and
   * the hash of its location, followed by `:` and the hash of its content once this is known.
   */
  fingerprint: string;
  /** Why the fingerprint may be out of date: the server of a remote file did not respond. */
  warning?: string;
}

/** Opens attachments, wherever their files are. Errors are coded FF_ATTACHMENT_…. */
export interface AttachmentReader {
  /** Returns the current state of a file. A known remote file is downloaded only if it has changed (RFC 9110, 13). */
  fingerprint(source: AttachmentSource, signal?: AbortSignal): Promise<FileState>;
  read(source: AttachmentSource, signal?: AbortSignal): Promise<AttachmentFile>;
  /** Returns what rules judge of a file. A remote file is downloaded if it is not known yet. */
  facts(source: AttachmentSource, signal?: AbortSignal): Promise<FileFacts>;
}

/** The remembered state of a remote file: the hex SHA-256 of its content, what rules judge of it, and its validators. */
export interface RemoteFile extends FeedValidators {
  sha256: string;
  facts?: FileFacts;
}

/** Remembers remote files by the hash of their location, because the location itself may contain secrets. */
export interface RemoteFiles {
  find(locationHash: string): Promise<RemoteFile | undefined>;
  remember(locationHash: string, file: RemoteFile): Promise<void>;
}

/** Returns the fingerprint of a remote file; without `sha256` while its content is unknown. */
export function remoteFingerprint(locationHash: string, sha256?: string): string {
  return sha256 === undefined ? `url:${locationHash}` : `url:${locationHash}:${sha256}`;
}

/** Returns a fingerprint that also changes with the alternative text of the file. */
export function withAltText(fingerprint: string, alt: string | undefined): string {
  return alt === undefined ? fingerprint : `${fingerprint};alt:${sha256(alt).slice(0, 16)}`;
}

/** Returns the fingerprint of a file, whatever its alternative text. */
export function withoutAltText(fingerprint: string): string {
  return fingerprint.replace(/;alt:.*$/s, '');
}

/** Parses a fingerprint: the hash of the content, or the hash of the location while the content is unknown. */
export function parseFingerprint(fingerprint: string): { sha256: string } | { locationHash: string } {
  const ofFile = withoutAltText(fingerprint);
  if (!ofFile.startsWith('url:')) return { sha256: ofFile };
  const [locationHash = '', sha256] = ofFile.slice('url:'.length).split(':');
  return sha256 === undefined ? { locationHash } : { sha256 };
}
