import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Label } from './label.ts';

const CACHE = join(import.meta.dirname, '../../.bench/feeds');

/** Returns the feed of a label: from FEEDS_DIR (folders separated by ":") or the cache, else downloaded. */
export async function feedOf({ name, url, sha256 }: Label): Promise<Buffer> {
  const folders = process.env.FEEDS_DIR?.split(':') ?? [CACHE];
  const path = folders.map((folder) => join(folder, sha256)).find((candidate) => existsSync(candidate));
  if (path !== undefined) return checked(readFileSync(path), path, sha256);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${name}: ${url} responds with ${response.status}`);
  const bytes = checked(Buffer.from(await response.arrayBuffer()), url, sha256);
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(join(CACHE, sha256), bytes);
  return bytes;
}

function checked(bytes: Buffer, from: string, sha256: string): Buffer {
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== sha256) throw new Error(`${from} has the SHA-256 ${actual}, not ${sha256}`);
  return bytes;
}
