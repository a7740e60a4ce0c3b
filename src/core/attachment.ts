import type { AttachmentSource } from './record.ts';

/** A file ready to be uploaded. */
export interface AttachmentFile {
  fileName: string;
  /** Found from the content, not from the name. */
  mediaType: string;
  content: Blob;
  /** Hex SHA-256 of the content. */
  sha256: string;
}

/** Opens attachments wherever they are. Errors are coded FF_ATTACHMENT_…. */
export interface AttachmentReader {
  /** Changes when the file does: content hash of local files and inline data, the address of remote ones. */
  fingerprint(source: AttachmentSource): Promise<string>;
  read(source: AttachmentSource, signal?: AbortSignal): Promise<AttachmentFile>;
}
