import { Buffer } from 'node:buffer';
import { isAbsolute } from 'node:path';
import type { AttachmentReader, RemoteFiles } from '../core/attachment.ts';
import { CodedError } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import { toFile, tooLarge, unreadable } from './attachments/attachment-file.ts';
import { createLocalReader } from './attachments/local-attachments.ts';
import { createRemoteReader } from './attachments/remote-attachments.ts';
import { type Location, parseLocation } from './location/location.ts';

const INLINE = 'The inline file';

export interface AttachmentOptions {
  /** Largest file, in bytes. Default 50 MB. */
  maxBytes?: number;
  /** Longest wait, in ms, for the connection, the response and between two chunks of it. Default 60 s. */
  timeoutMs?: number;
  allowPrivateNetwork?: boolean;
}

/**
 * Opens attachments: local files (streamed from where they are), http(s) URLs behind the address guard (streamed to a
 * temporary file), and inline base64.
 * @param remoteFiles remembers remote files between runs
 */
export function createAttachmentReader(remoteFiles: RemoteFiles, options: AttachmentOptions = {}): AttachmentReader {
  const { maxBytes = 50_000_000, timeoutMs = 60_000, allowPrivateNetwork = false } = options;
  const remote = createRemoteReader(remoteFiles, { maxBytes, timeoutMs, allowPrivateNetwork });
  const local = createLocalReader(maxBytes);

  return {
    async fingerprint(source, signal) {
      if (source.is === 'inline') return { fingerprint: sha256(fromBase64(source.base64, maxBytes)) };
      const location = locate(source.location);
      if (location.is === 'http') return remote.fingerprint(location.url, signal);
      return { fingerprint: await local.fingerprint(location.path) };
    },

    async read(source, signal) {
      if (source.is === 'inline') {
        const content = new Blob([fromBase64(source.base64, maxBytes)]);
        return toFile({ place: INLINE, name: source.fileName ?? 'file', content }, maxBytes);
      }
      const location = locate(source.location);
      return location.is === 'http' ? remote.read(location.url, signal) : local.read(location.path);
    },
  };
}

function locate(text: string): Location {
  let location: Location;
  try {
    location = parseLocation(text);
  } catch (error) {
    throw unreadable('the file', error);
  }
  if (location.is === 'http' || isAbsolute(location.path)) return location;
  throw new CodedError('FF_ATTACHMENT_UNREADABLE', `${text} is neither an absolute path nor a URL.`);
}

function fromBase64(base64: string, maxBytes: number): Uint8Array<ArrayBuffer> {
  // Four characters encode three bytes.
  if (base64.length > maxBytes * 1.4 + 4) throw tooLarge(INLINE, maxBytes);
  if (!/^[\w+/\s-]*={0,2}\s*$/.test(base64)) {
    throw new CodedError('FF_ATTACHMENT_UNREADABLE', `${INLINE} is not valid base64.`);
  }
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
