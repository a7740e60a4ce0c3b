import { openAsBlob } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import type { AttachmentFile } from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import { hashBlob, toFile, unreadable } from './attachment-file.ts';

/**
 * Reads files of this machine by absolute path. The files are streamed from their place.
 * @param folder files must be in it or below it, after symbolic links are resolved; undefined: every file is refused
 * @param maxBytes largest file
 */
export function createLocalReader(folder: string | undefined, maxBytes: number) {
  const hashes = new Map<string, { size: number; mtimeMs: number; hash: string }>();
  return { fingerprint, read };

  /** Hex SHA-256 of the content. A file whose size and modification time are unchanged is not read again. */
  async function fingerprint(location: string): Promise<string> {
    const path = await pathInside(folder, location);
    const { size, mtimeMs } = await fileInfo(path);
    const known = hashes.get(path);
    if (known?.size === size && known.mtimeMs === mtimeMs) return known.hash;
    const hash = await openLocal(path).then(hashBlob);
    hashes.set(path, { size, mtimeMs, hash });
    return hash;
  }

  async function read(location: string): Promise<AttachmentFile> {
    const path = await pathInside(folder, location);
    await fileInfo(path);
    return toFile({ place: location, name: location, content: await openLocal(path) }, maxBytes);
  }
}

/** Resolves a path inside the folder. Others write the feeds: without this check, one could publish any file of this machine. */
async function pathInside(folder: string | undefined, location: string): Promise<string> {
  const outside = new CodedError(
    'FF_ATTACHMENT_OUTSIDE',
    `${location} is not in ${folder ?? 'a folder for attachments'}.`,
  );
  if (folder === undefined) throw outside;
  const [base, path] = await Promise.all([realpath(folder), realpath(location)]).catch((error: unknown) => {
    throw unreadable(location, error);
  });
  const way = relative(base, path);
  if (way.split(sep)[0] === '..' || isAbsolute(way)) throw outside;
  return path;
}

async function fileInfo(path: string): Promise<{ size: number; mtimeMs: number }> {
  const info = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!info.isFile()) throw new CodedError('FF_ATTACHMENT_UNREADABLE', `${path} is not a file.`);
  return info;
}

function openLocal(path: string): Promise<Blob> {
  return openAsBlob(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
}
