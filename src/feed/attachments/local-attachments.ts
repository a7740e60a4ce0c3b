import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { AttachmentFile } from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import { hashBlob, toFile, unreadable } from './attachment-file.ts';

/**
 * Reads files of this machine by absolute path. They are streamed from where they are.
 * @param maxBytes largest file
 */
export function createLocalReader(maxBytes: number) {
  const hashes = new Map<string, { size: number; mtimeMs: number; hash: string }>();
  return { fingerprint, read };

  /** Hex SHA-256 of the content. A file whose size and modification time are unchanged is not read again. */
  async function fingerprint(path: string): Promise<string> {
    const { size, mtimeMs } = await fileInfo(path);
    const known = hashes.get(path);
    if (known?.size === size && known.mtimeMs === mtimeMs) return known.hash;
    const hash = await openLocal(path).then(hashBlob);
    hashes.set(path, { size, mtimeMs, hash });
    return hash;
  }

  async function read(path: string): Promise<AttachmentFile> {
    await fileInfo(path);
    return toFile({ place: path, name: path, content: await openLocal(path) }, maxBytes);
  }
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
