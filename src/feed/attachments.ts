import { Buffer } from 'node:buffer';
import { isAbsolute, resolve } from 'node:path';
import type { AttachmentReader, RemoteFiles } from '../core/attachment.ts';
import { CodedError } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import { toFile, tooLarge, unreadable } from './attachments/attachment-file.ts';
import { createLocalReader } from './attachments/local-attachments.ts';
import { createRemoteReader } from './attachments/remote-attachments.ts';
import { type Location, parseLocation } from './location/location.ts';

export interface AttachmentOptions {
  /** Absolute folder that relative paths start at; without it they are refused. */
  baseDir?: string;
  /** Cap of one file, in bytes. Default 50 MB. */
  maxBytes?: number;
  /** Longest wait, in ms, for the connection, the answer and between two pieces of it. Default 60 s. */
  timeoutMs?: number;
  allowPrivateNetwork?: boolean;
  /** HTTP headers for every remote file. */
  headers?: Record<string, string>;
}

const DEFAULT_MAX_BYTES = 50_000_000;
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Opens attachments: local files (streamed from where they lie), http(s) addresses behind the address guard (streamed to a
 * temporary file), and inline base64.
 * @param remoteFiles what is known of remote files; what is found out of them goes there, too
 */
export function createAttachmentReader(remoteFiles: RemoteFiles, options: AttachmentOptions = {}): AttachmentReader {
  const { baseDir, headers, allowPrivateNetwork = false } = options;
  const { maxBytes = DEFAULT_MAX_BYTES, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const remote = createRemoteReader(remoteFiles, { maxBytes, timeoutMs, allowPrivateNetwork, headers });
  const local = createLocalReader(maxBytes);

  return {
    async fingerprint(source, signal) {
      if (source.is === 'inline') return { fingerprint: sha256(fromBase64(source.base64, maxBytes)) };
      const place = locate(source.location, baseDir);
      if (place.is === 'http') return remote.fingerprint(place.url, signal);
      return { fingerprint: await local.fingerprint(place.path) };
    },

    async read(source, signal) {
      if (source.is === 'inline') {
        const content = new Blob([fromBase64(source.base64, maxBytes)]);
        return toFile({ place: 'The inline file', name: source.fileName ?? 'file', content }, maxBytes);
      }
      const place = locate(source.location, baseDir);
      return place.is === 'http' ? remote.read(place.url, signal) : local.read(place.path);
    },
  };
}

function locate(location: string, baseDir: string | undefined): Location {
  try {
    const place = parseLocation(location);
    if (place.is === 'http') return place;
    if (baseDir !== undefined) return { is: 'file', path: resolve(baseDir, place.path) };
    if (isAbsolute(place.path)) return place;
  } catch (error) {
    throw unreadable('The attachment', error);
  }
  throw new CodedError('FF_ATTACHMENT_UNREADABLE', `${location} is neither an absolute path nor an address.`);
}

function fromBase64(base64: string, maxBytes: number): Uint8Array<ArrayBuffer> {
  // Four characters carry three bytes.
  if (base64.length > maxBytes * 1.4 + 4) throw tooLarge('The inline file', maxBytes);
  if (!/^[\w+/\s-]*={0,2}\s*$/.test(base64)) {
    throw new CodedError('FF_ATTACHMENT_UNREADABLE', 'The inline file is not valid base64.');
  }
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
