import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { AttachmentFile } from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import { hashBlob, toFile, unreadable } from './attachment-file.ts';

/** Opens files of this machine by absolute path; they are streamed from where they lie. */
export interface LocalReader {
  /** Hex SHA-256 of the content; a file that is as it was (size, time of change) is not read again. */
  fingerprint(path: string): Promise<string>;
  read(path: string): Promise<AttachmentFile>;
}

/** @param maxBytes cap of one file, in bytes */
export function createLocalReader(maxBytes: number): LocalReader {
  const hashes = new Map<string, { size: number; mtimeMs: number; hash: string }>();
  return { fingerprint, read };

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
