import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../core/hash.ts';

/** The uploaded files, in a folder for each attribute. */
export type SandboxUploads = ReturnType<typeof uploadStore>;

/** What a path made by `put` looks like: nothing in it can climb. */
const storedPath = /^\/uploads\/[\w-]+\/[\w-][\w.-]*$/;

/** Files below a folder that exists. */
export function uploadStore(folder: string) {
  return {
    folder,
    /** Keeps a file and returns its path for clients. The same bytes under the same name are kept once. */
    async put(attribute: string, fileName: string, content: Buffer) {
      const name = `${sha256(content).slice(0, 16)}-${fileName}`;
      const src = `/uploads/${attribute}/${name}`;
      if (this.has(src)) return src;
      await mkdir(join(folder, attribute), { recursive: true });
      // Written under another name first, so that half a file is never served, not even after a crash.
      const partial = join(folder, attribute, `.${randomUUID()}.partial`);
      await writeFile(partial, content, { flush: true });
      await rename(partial, join(folder, attribute, name));
      return src;
    },
    /** Returns whether a client's path leads to an uploaded file. */
    has: (src: string) => storedPath.test(src) && existsSync(join(folder, src.slice('/uploads/'.length))),
  };
}
