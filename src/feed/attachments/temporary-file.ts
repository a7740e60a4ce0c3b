import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file that only this user can read. Disposing it removes it. */
export interface TemporaryFile extends AsyncDisposable {
  content: Blob;
}

/**
 * Streams bytes to a file in a new folder below the system's temporary one. Where that fails, nothing of it is left; what a
 * killed process leaves is the system's to remove.
 * @throws what the bytes throw, and what node:fs does
 */
export async function writeTemporaryFile(bytes: AsyncIterable<Uint8Array>): Promise<TemporaryFile> {
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
