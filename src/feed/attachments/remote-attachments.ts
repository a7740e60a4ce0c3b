import {
  type AttachmentFile,
  type FileState,
  type RemoteFile,
  type RemoteFiles,
  remoteFingerprint,
} from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { redactUrl } from '../location/location.ts';
import { describe } from './attachment-file.ts';
import { type Download, type DownloadOptions, download, downloadIfChanged } from './download.ts';

/** Whether a file has changed can wait for the next run: the question is asked once, and not for long. */
const LONGEST_CHECK_MS = 10_000;

/** Opens files of other machines. */
export interface RemoteReader {
  fingerprint(url: URL, signal?: AbortSignal): Promise<FileState>;
  read(url: URL, signal?: AbortSignal): Promise<AttachmentFile>;
}

/** @param files what is known of remote files; what is found out of them goes there, too */
export function createRemoteReader(
  files: RemoteFiles,
  options: Omit<DownloadOptions, 'signal' | 'retries'>,
): RemoteReader {
  return { fingerprint, read };

  async function fingerprint(url: URL, signal?: AbortSignal): Promise<FileState> {
    const locationHash = hashOf(url);
    const known = await files.find(locationHash);
    if (!known) return { fingerprint: remoteFingerprint(locationHash) };
    // Nothing tells whether the file has changed: what its address has been is what it is.
    if (!hasValidators(known)) return { fingerprint: remoteFingerprint(locationHash, known.sha256) };
    try {
      const now = await recheck(url, known, signal);
      await files.remember(locationHash, now);
      return { fingerprint: remoteFingerprint(locationHash, now.sha256) };
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof CodedError)) throw error;
      const warning = `${error.message} Nobody knows whether it has changed; it stays as it was.`;
      return { fingerprint: remoteFingerprint(locationHash, known.sha256), warning };
    }
  }

  /** Of a file that has changed, the content is read only to be hashed. */
  async function recheck(url: URL, known: RemoteFile, signal?: AbortSignal): Promise<RemoteFile> {
    const timeoutMs = Math.min(options.timeoutMs, LONGEST_CHECK_MS);
    const changed = await downloadIfChanged(url, known, { ...options, timeoutMs, retries: 0, signal });
    if (!changed) return known;
    try {
      // An error page that is answered as if it were the file is no new version of it.
      await describeDownload(url, changed);
      return changed.remote;
    } finally {
      await changed[Symbol.asyncDispose]();
    }
  }

  async function read(url: URL, signal?: AbortSignal): Promise<AttachmentFile> {
    const file = await download(url, { ...options, signal });
    try {
      const described = await describeDownload(url, file);
      const locationHash = hashOf(url);
      await files.remember(locationHash, file.remote);
      const { sha256: hash } = file.remote;
      return {
        ...described,
        sha256: hash,
        fingerprint: remoteFingerprint(locationHash, hash),
        [Symbol.asyncDispose]: file[Symbol.asyncDispose],
      };
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** What only readers of the private network have seen is not known to the others. */
  function hashOf({ href }: URL): string {
    return sha256(options.allowPrivateNetwork ? `private ${href}` : href);
  }
}

function hasValidators({ etag, lastModified }: RemoteFile): boolean {
  return etag !== undefined || lastModified !== undefined;
}

function describeDownload(url: URL, { content }: Download) {
  return describe({ place: redactUrl(url), name: decodedPath(url), content });
}

function decodedPath(url: URL): string {
  try {
    return decodeURIComponent(url.pathname);
  } catch {
    return url.pathname;
  }
}
