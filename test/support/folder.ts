import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDir } from './engines.ts';

/** Writes files to a folder of the running test. */
export function folderOf(files: Record<string, string | Uint8Array>): string {
  const dir = temporaryDir();
  onTestFinished(() => dir[Symbol.dispose]());
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(dir.path, name, '..'), { recursive: true });
    writeFileSync(join(dir.path, name), content);
  }
  return dir.path;
}
