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
import { type DownloadOptions, download as overHttp } from './download.ts';

/** A change can wait for the next run, so the check is short and made only once. */
const LONGEST_CHECK_MS = 10_000;

/**
 * Reads files by URL.
 * @param files remembers the files between runs
 * @param download replaces HTTP connections
 */
export function createRemoteReader(
  files: RemoteFiles,
  options: Omit<DownloadOptions, 'signal' | 'retries'>,
  download = overHttp,
) {
  return { fingerprint, read, known: (url: URL) => files.find(hashOf(url)) };

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

  /**
   * Downloads the file if it has changed, but only to hash it. An error page in place of the file is not a new version of the
   * file: the download fails.
   */
  async function recheck(url: URL, known: RemoteFile, signal?: AbortSignal): Promise<RemoteFile> {
    const { etag, lastModified } = known;
    const timeoutMs = Math.min(options.timeoutMs, LONGEST_CHECK_MS);
    const checkOptions = {
      ...options,
      validators: { etag, lastModified },
      timeoutMs,
      totalMs: timeoutMs,
      retries: 0,
      signal,
    };
    const changed = await download(url, checkOptions);
    await changed?.[Symbol.asyncDispose]();
    return changed?.remote ?? known;
  }

  async function read(url: URL, signal?: AbortSignal): Promise<AttachmentFile> {
    const downloaded = await download(url, { ...options, signal });
    if (!downloaded) throw new CodedError('FF_BUG', `${redactUrl(url)} returned 304 to an unconditional request.`);
    const { remote, ...file } = downloaded;
    const locationHash = hashOf(url);
    try {
      await files.remember(locationHash, remote);
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
    return { ...file, fingerprint: remoteFingerprint(locationHash, remote.sha256) };
  }

  /** Files from a private network have their own entries, so that readers without access learn nothing about them. */
  function hashOf({ href }: URL): string {
    return sha256(options.allowPrivateNetwork ? `private ${href}` : href);
  }
}
