import type { AttachmentSource } from './record.ts';

/** A file ready to be uploaded. Disposing it removes what was stored of it on this machine. */
export interface AttachmentFile extends AsyncDisposable {
  fileName: string;
  /** Found from the content, not from the name. */
  mediaType: string;
  /** Backed by a file, so that it is streamed; not to be read once the file is disposed of. */
  content: Blob;
  /** Hex SHA-256 of the content. */
  sha256: string;
  /** Of this very content, whatever the source has had before. */
  fingerprint: string;
}

/** What a file is, as far as that is known without bringing it. */
export interface FileState {
  /**
   * Changes when the file does. Of local files and inline data the hex SHA-256 of the content; of a remote file `url:` and
   * the hash of its location, and once its content is known also `:` and the hash of that.
   */
  fingerprint: string;
  /** Why nobody knows whether it is still so: a remote file could not be asked for. */
  warning?: string;
}

/** Opens attachments wherever they are. Errors are coded FF_ATTACHMENT_…. */
export interface AttachmentReader {
  /** What a file is now. A remote one that is known is asked for on condition that it has changed (RFC 9110, 13). */
  fingerprint(source: AttachmentSource, signal?: AbortSignal): Promise<FileState>;
  read(source: AttachmentSource, signal?: AbortSignal): Promise<AttachmentFile>;
}

/** What is remembered of a file on another machine. */
export interface RemoteFile {
  /** Hex SHA-256 of the content. */
  sha256: string;
  /** The validators of that content (RFC 9110, 8.8), where its server gives any. */
  etag?: string;
  lastModified?: string;
}

/** Remembers remote files by the hash of their location: the location itself may carry secrets. */
export interface RemoteFiles {
  find(locationHash: string): Promise<RemoteFile | undefined>;
  remember(locationHash: string, file: RemoteFile): Promise<void>;
}

/** The fingerprint of a remote file; without `sha256` while its content is unknown. */
export function remoteFingerprint(locationHash: string, sha256?: string): string {
  return sha256 === undefined ? `url:${locationHash}` : `url:${locationHash}:${sha256}`;
}

/** What a fingerprint says of a file: the hash of its content, or that of its location while the content is unknown. */
export function parseFingerprint(fingerprint: string): { sha256: string } | { locationHash: string } {
  if (!fingerprint.startsWith('url:')) return { sha256: fingerprint };
  const [locationHash = '', sha256] = fingerprint.slice('url:'.length).split(':');
  return sha256 === undefined ? { locationHash } : { sha256 };
}
