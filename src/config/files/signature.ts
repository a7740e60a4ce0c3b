import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../core/hash.ts';

/**
 * Hex SHA-256 of what the file system tells of files, and of all files below folders: paths, sizes, times, inodes. It
 * differs where one was written, replaced, added or removed, also by way of the symbolic links of a Kubernetes ConfigMap.
 * What begins with a dot is left out, and node_modules.
 * @throws the error of node:fs where a folder cannot be read
 */
export async function signatureOf(paths: readonly string[]): Promise<string> {
  const seen = new Set<string>();
  const lines: string[] = [];
  for (const path of paths) await collect(path, seen, lines);
  return sha256(lines.join('\n'));
}

async function collect(path: string, seen: Set<string>, lines: string[]): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) {
    lines.push(found ? `${path} ${found.size} ${found.mtimeMs} ${found.ino}` : `${path} is not there`);
    return;
  }
  const folder = `${found.dev}:${found.ino}`;
  // A link may lead back to where it is.
  if (seen.has(folder)) return;
  seen.add(folder);
  for (const name of (await readdir(path)).sort()) {
    if (!name.startsWith('.') && name !== 'node_modules') await collect(join(path, name), seen, lines);
  }
}
