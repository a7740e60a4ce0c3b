import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../core/hash.ts';

/**
 * Returns the hex SHA-256 of the paths, sizes, times and inodes of files and of all files below folders. The hash changes
 * when a file is written, replaced, added or removed, also through the symbolic links of a Kubernetes ConfigMap. Names
 * with a leading dot and node_modules are left out.
 * @throws the error of node:fs when a folder cannot be read
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
    lines.push(found ? `${path} ${found.size} ${found.mtimeMs} ${found.ino}` : `${path} does not exist`);
    return;
  }
  const folder = `${found.dev}:${found.ino}`;
  // A symbolic link may lead back to a parent folder.
  if (seen.has(folder)) return;
  seen.add(folder);
  for (const name of (await readdir(path)).sort()) {
    if (!name.startsWith('.') && name !== 'node_modules') await collect(join(path, name), seen, lines);
  }
}
