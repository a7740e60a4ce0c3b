import {
  type AttachmentFile,
  type FileState,
  type RemoteFile,
  type RemoteFiles,
  remoteFingerprint,
} from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import { sha256 } from '../../core/hash.ts';
import { decodeUrlPart, redactUrl } from '../location/location.ts';
import { describe } from './attachment-file.ts';
import { type Download, type DownloadOptions, download } from './download.ts';

/** A change can wait for the next run, so the check is short and made only once. */
const LONGEST_CHECK_MS = 10_000;

/**
 * Reads files by URL.
 * @param files remembers them between runs
 */
export function createRemoteReader(files: RemoteFiles, options: Omit<DownloadOptions, 'signal' | 'retries'>) {
  return { fingerprint, read };

  async function fingerprint(url: URL, signal?: AbortSignal): Promise<FileState> {
    const locationHash = hashOf(url);
    const known = await files.find(locationHash);
    const hasValidators = known?.etag !== undefined || known?.lastModified !== undefined;
    // Without validators, a change at the same URL cannot be detected.
    if (!known || !hasValidators) return { fingerprint: remoteFingerprint(locationHash, known?.sha256) };
    try {
      const current = await recheck(url, known, signal);
      await files.remember(locationHash, current);
      return { fingerprint: remoteFingerprint(locationHash, current.sha256) };
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof CodedError)) throw error;
      const warning = `${error.message} Whether the file has changed is unknown; the CMS keeps the file it has.`;
      return { fingerprint: remoteFingerprint(locationHash, known.sha256), warning };
    }
  }

  /** Downloads the file if it has changed, but only to hash it. */
  async function recheck(url: URL, known: RemoteFile, signal?: AbortSignal): Promise<RemoteFile> {
    const { etag, lastModified } = known;
    const timeoutMs = Math.min(options.timeoutMs, LONGEST_CHECK_MS);
    const checkOptions = { ...options, validators: { etag, lastModified }, timeoutMs, retries: 0, signal };
    const changed = await download(url, checkOptions);
    if (!changed) return known;
    try {
      // An error page that is served in the place of the file is not a new version of it.
      await describeDownload(url, changed);
      return changed.remote;
    } finally {
      await changed[Symbol.asyncDispose]();
    }
  }

  async function read(url: URL, signal?: AbortSignal): Promise<AttachmentFile> {
    const file = await download(url, { ...options, signal });
    if (!file) throw new CodedError('FF_BUG', `${redactUrl(url)} returned status 304 to an unconditional request.`);
    const dispose = file[Symbol.asyncDispose];
    try {
      const described = await describeDownload(url, file);
      const locationHash = hashOf(url);
      await files.remember(locationHash, file.remote);
      const hash = file.remote.sha256;
      const fingerprint = remoteFingerprint(locationHash, hash);
      return { ...described, sha256: hash, fingerprint, [Symbol.asyncDispose]: dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  }

  /** Files from a private network have their own entries, so that readers without access learn nothing about them. */
  function hashOf({ href }: URL): string {
    return sha256(options.allowPrivateNetwork ? `private ${href}` : href);
  }
}

function describeDownload(url: URL, { content }: Download) {
  return describe({ place: redactUrl(url), name: decodeUrlPart(url.pathname), content });
}
