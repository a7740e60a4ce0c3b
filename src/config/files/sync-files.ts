import { readdirSync } from 'node:fs';
import { basename, extname } from 'node:path';

/** Returns the names of the files of a folder in their order; none if the folder cannot be read. */
export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Returns the name of a sync: the name of its file without the extension. */
export function syncName(file: string): string {
  return basename(file, extname(file));
}
