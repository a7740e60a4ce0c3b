import { openAsBlob } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import type { AttachmentFile } from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import { hashBlob, toFile, unreadable } from './attachment-file.ts';

/**
 * Reads files of this machine by absolute path. The files are streamed from their place.
 * @param folders files must be in one of them or below it, after symbolic links are resolved
 * @param maxBytes largest file
 */
export function createLocalReader(folders: readonly string[], maxBytes: number) {
  const hashes = new Map<string, { size: number; mtimeMs: number; hash: string }>();
  return { fingerprint, read };

  /** Hex SHA-256 of the content. A file whose size and modification time are unchanged is not read again. */
  async function fingerprint(location: string): Promise<string> {
    const path = await pathInside(folders, location);
    const { size, mtimeMs } = await fileInfo(path);
    const known = hashes.get(path);
    if (known?.size === size && known.mtimeMs === mtimeMs) return known.hash;
    const hash = await openLocal(path).then(hashBlob);
    hashes.set(path, { size, mtimeMs, hash });
    return hash;
  }

  async function read(location: string): Promise<AttachmentFile> {
    const path = await pathInside(folders, location);
    await fileInfo(path);
    return toFile({ place: location, name: location, content: await openLocal(path) }, maxBytes);
  }
}

/** Resolves a path inside one of the folders. Others write the feeds: without this check, one could publish any file of this machine. */
async function pathInside(folders: readonly string[], location: string): Promise<string> {
  const named = folders.length === 0 ? 'a folder for attachments' : folders.join(' or ');
  const outside = new CodedError('FF_ATTACHMENT_OUTSIDE', `${location} is not in ${named}.`);
  if (folders.length === 0) throw outside;
  const bases = folders.map((folder) => realpath(folder).catch(() => undefined));
  const path = await realpath(location).catch((error: unknown) => {
    throw unreadable(location, error);
  });
  if (!(await Promise.all(bases)).some((base) => base !== undefined && isBelow(base, path))) throw outside;
  return path;
}

function isBelow(base: string, path: string): boolean {
  const way = relative(base, path);
  return way.split(sep)[0] !== '..' && !isAbsolute(way);
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
