import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Streams bytes to a file that only this user can read, in the system's temporary directory. Disposing it removes it; after
 * a failure nothing is left. What a killed process leaves, the system removes.
 * @throws errors of the bytes and of node:fs
 */
export async function writeTemporaryFile(bytes: AsyncIterable<Uint8Array>) {
  const folder = await mkdtemp(join(tmpdir(), 'feedferry-file-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'attachment');
  try {
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
    return { content: await openAsBlob(path), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
