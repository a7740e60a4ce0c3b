import { createReadStream } from 'node:fs';
import { glob, stat } from 'node:fs/promises';
import { CodedError } from '../../core/errors.ts';

/** The text of larger pieces is a large object to V8, which lies about until the next full collection. */
const READ_BYTES = 32 * 1024;

/**
 * Opens a file as a stream of bytes.
 * @throws CodedError FF_FEED_MISSING where there is none; FF_FEED_UNREADABLE for a folder or a file without read access.
 */
export async function openFile(path: string, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw fileError(path, error);
  });
  if (info.isDirectory()) throw new CodedError('FF_FEED_UNREADABLE', `${path} is a folder, not a file.`);
  return readFile(path, signal);
}

/**
 * The files that a path means, in the order of their names: itself where there is such a file, else those that it matches
 * as a pattern (`*`, `?`, `[…]`, `{…}`, `**`).
 * @throws CodedError FF_FEED_MISSING where a pattern matches none
 */
export async function matchingFiles(path: string): Promise<string[]> {
  if (!/[*?[\]{}]/.test(path) || (await exists(path))) return [path];
  const files: string[] = [];
  for await (const entry of glob(path, { withFileTypes: true })) {
    if (!entry.isDirectory()) files.push(`${entry.parentPath}/${entry.name}`);
  }
  if (files.length === 0) throw new CodedError('FF_FEED_MISSING', `No file matches ${path}.`);
  return [...new Set(files)].sort();
}

/** What node:fs throws, in feedferry's terms. */
export function fileError(path: string, error: NodeJS.ErrnoException): CodedError {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
    return new CodedError('FF_FEED_MISSING', `There is no file ${path}.`, { cause: error });
  }
  return new CodedError('FF_FEED_UNREADABLE', `${path} could not be read (${error.code ?? error.message}).`, {
    cause: error,
  });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function* readFile(path: string, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { signal, highWaterMark: READ_BYTES });
}
