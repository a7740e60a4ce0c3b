import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
export const storedPath = /^\/uploads\/[\w-]+\/[\w-][\w.-]*$/;

/** Files below a folder that exists. */
export function uploadStore(folder: string) {
  const fileOf = (src: string) => join(folder, src.slice('/uploads/'.length));
  /** The paths of all files, for clients, without files that are still being written. */
  const paths = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => `/uploads/${file.replaceAll('\\', '/')}`)
      .filter((src) => storedPath.test(src))
      .toSorted();

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
    /** All files with their contents. */
    dump: () => paths().map((src) => ({ src, content: readFileSync(fileOf(src)) })),
    /** Keeps a file that `dump` returned. */
    restore(src: string, content: Buffer): void {
      if (!storedPath.test(src)) throw new Error(`Not the path of an upload: ${src}`);
      mkdirSync(dirname(fileOf(src)), { recursive: true });
      const partial = join(dirname(fileOf(src)), `.${randomUUID()}.partial`);
      writeFileSync(partial, content);
      renameSync(partial, fileOf(src));
    },
    /** Removes all files except some. */
    removeOthers(kept: ReadonlySet<string>): void {
      for (const src of paths()) if (!kept.has(src)) rmSync(fileOf(src), { force: true });
    },
  };
}
