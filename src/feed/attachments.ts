import { Buffer } from 'node:buffer';
import { existsSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import type { SyncConfig } from '../config/types.ts';
import type { AttachmentFile, AttachmentReader, RemoteFiles } from '../core/attachment.ts';
import { CodedError } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import type { AttachmentSource } from '../core/record.ts';
import { toFile, tooLarge, unreadable } from './attachments/attachment-file.ts';
import { createLocalReader } from './attachments/local-attachments.ts';
import { createRemoteReader } from './attachments/remote-attachments.ts';
import { type Location, parseFeedLocation, parseLocation } from './location/location.ts';

const INLINE = 'The inline file';
const LONGEST_MS = 60_000;

export interface AttachmentOptions {
  /** Largest file, in bytes. Default 50 MB. */
  maxBytes?: number;
  /** Longest wait, in ms, for the connection, for the response and between two parts of it. Default 60 s. */
  timeoutMs?: number;
  /** Longest time, in ms, for a remote file, with all attempts. Default 60 s. */
  totalMs?: number;
  allowPrivateNetwork?: boolean;
  /** Local files must be in one of these folders or below it, after symbolic links are resolved. Default: local files are refused. */
  folders?: readonly string[];
}

/**
 * Returns the limits for the files of a sync. Which of several sources has named a file is not known, so local files may be in
 * the folder of any of them, private networks are allowed only if all of them allow it, and the longest `timeout` applies. A feed from the network names no
 * local files (`compileAttachments`).
 */
export function attachmentLimits(
  sync: Pick<SyncConfig, 'source' | 'sources' | 'attachments' | 'attachmentsDir'>,
): Pick<AttachmentOptions, 'allowPrivateNetwork' | 'folders' | 'timeoutMs'> {
  const each = sync.sources?.map((source) => source.sync) ?? [sync];
  return {
    timeoutMs: Math.max(...each.map(({ source }) => source.feed.timeoutMs ?? LONGEST_MS)),
    allowPrivateNetwork: each.every(({ source }) => source.feed.allowPrivateNetwork),
    folders: each.flatMap((one) => [attachmentFolder(one) ?? [], defaultFiles(one)].flat()),
  };
}

/** Returns the local files that a sync itself names. */
function defaultFiles({ attachments }: Pick<SyncConfig, 'attachments'>): string[] {
  const named = Object.values(attachments).flatMap(({ default: own }) =>
    own ? [own.default ?? [], Object.values(own.lookup)].flat() : [],
  );
  return named.filter((location) => !/^https?:/i.test(location));
}

/** Returns the folder from which the records of a sync may take local files; undefined if its feed is from the network. */
function attachmentFolder({ source, attachmentsDir }: Pick<SyncConfig, 'source' | 'attachmentsDir'>) {
  const feed = parseFeedLocation(source.url);
  if (feed.is === 'http') return undefined;
  if (attachmentsDir !== undefined || feed.is === 'stdin') return attachmentsDir ?? process.cwd();
  const folder = dirname(feed.path);
  // In a pattern of folders, the part without wildcards contains the files of all feeds.
  return existsSync(folder) ? folder : dirname(feed.path.replace(/[*?[\]{}].*$/s, 'x'));
}

/**
 * Opens attachments: local files (streamed from their place), http(s) URLs behind the address guard (streamed to a temporary
 * file), and inline base64.
 * @param remoteFiles remembers remote files between runs
 */
export function createAttachmentReader(remoteFiles: RemoteFiles, options: AttachmentOptions = {}): AttachmentReader {
  const { maxBytes = 50_000_000, timeoutMs = LONGEST_MS, totalMs = LONGEST_MS } = options;
  const { allowPrivateNetwork = false, folders = [] } = options;
  const remote = createRemoteReader(remoteFiles, { maxBytes, timeoutMs, totalMs, allowPrivateNetwork });
  const local = createLocalReader(folders, maxBytes);

  return {
    async fingerprint(source, signal) {
      if (source.is === 'inline') return { fingerprint: sha256(fromBase64(source.base64, maxBytes)) };
      const location = locate(source.location);
      if (location.is === 'http') return remote.fingerprint(location.url, signal);
      return { fingerprint: await local.fingerprint(location.path) };
    },

    read,

    async facts(source, signal) {
      const location = source.is === 'inline' ? undefined : locate(source.location);
      const known = location?.is === 'http' ? await remote.known(location.url) : undefined;
      if (known?.facts) return known.facts;
      const file = await read(source, signal);
      await file[Symbol.asyncDispose]();
      return file.facts;
    },
  };

  async function read(source: AttachmentSource, signal?: AbortSignal): Promise<AttachmentFile> {
    if (source.is === 'inline') {
      const content = new Blob([fromBase64(source.base64, maxBytes)]);
      return toFile({ place: INLINE, name: source.fileName ?? 'file', content }, maxBytes);
    }
    const location = locate(source.location);
    return location.is === 'http' ? remote.read(location.url, signal) : local.read(location.path);
  }
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
  if (!/^[\w+/\s-]*(?:=\s*){0,2}$/.test(base64)) {
    throw new CodedError('FF_ATTACHMENT_UNREADABLE', `${INLINE} is not valid base64.`);
  }
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
