import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../core/hash.ts';

/** The uploaded files, in a folder for each attribute. */
export type SandboxUploads = ReturnType<typeof uploadStore>;

/** Checks whether a path for clients leads to a file. */
export interface FileLookup {
  has(src: string): boolean;
}

/** The layout keys of attributes that may receive a file. */
export const fileAttribute = /^[\w-]{1,64}$/;

/** The form of paths that `put` returns: no part of one leads to a parent folder. */
const storedPath = /^\/uploads\/[\w-]+\/[\w-][\w.-]*$/;

const mediaTypes: Record<string, string> = {
  ...{ png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  pdf: 'application/pdf',
};

/** Returns the media type with which a file is served. */
export function mediaTypeOf(src: string): string {
  return mediaTypes[src.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
}

/** Files below a folder that exists. */
export function uploadStore(folder: string) {
  const fileOf = (src: string) => join(folder, src.slice('/uploads/'.length));
  return {
    folder,
    /** Keeps a file and returns its path for clients. A file with the same bytes and name is kept once. */
    async put(attribute: string, fileName: string, content: Buffer) {
      const name = `${sha256(content).slice(0, 16)}-${fileName}`;
      const src = `/uploads/${attribute}/${name}`;
      if (this.has(src)) return src;
      await mkdir(join(folder, attribute), { recursive: true });
      // The file is first written under another name, so that half a file is never served, not even after a crash.
      const partial = join(folder, attribute, `.${randomUUID()}.partial`);
      await writeFile(partial, content, { flush: true });
      await rename(partial, join(folder, attribute, name));
      return src;
    },
    /** Returns whether a client's path leads to an uploaded file. */
    has: (src: string) => storedPath.test(src) && existsSync(fileOf(src)),
    /** The content of a file that exists. */
    read: (src: string): Buffer => readFileSync(fileOf(src)),
  };
}
