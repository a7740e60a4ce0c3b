import { createHash } from 'node:crypto';
import { glob, open, stat } from 'node:fs/promises';
import { CodedError } from '../../core/errors.ts';

/** V8 stores the text of larger chunks as large objects, which only a full garbage collection frees. */
const READ_BYTES = 32 * 1024;
/** Small for callers that need only the first records, and would parse the rest of a larger chunk in vain. */
const FIRST_READ_BYTES = 4 * 1024;

/**
 * Opens a file as a stream of bytes.
 * @param firstOnly reads the file in small chunks
 * @throws CodedError FF_FEED_MISSING, or FF_FEED_UNREADABLE for a directory or a file without read permission
 */
export async function openFile(
  path: string,
  signal?: AbortSignal,
  firstOnly = false,
): Promise<AsyncIterable<Uint8Array>> {
  const info = await stat(path).catch((error: unknown) => {
    throw fileError(path, error);
  });
  if (info.isDirectory()) {
    const hint = `To read the files in it, use a pattern: ${path}/*`;
    throw new CodedError('FF_FEED_UNREADABLE', `${path} is a directory, not a file. ${hint}`);
  }
  return readFile(path, firstOnly ? FIRST_READ_BYTES : READ_BYTES, signal);
}

/** Whether a file has this hex SHA-256. Hashing takes a small part of the time that reading the records would take. */
export async function hasHash(path: string, sha256: string | undefined, signal?: AbortSignal): Promise<boolean> {
  if (sha256 === undefined) return false;
  const hash = createHash('sha256');
  try {
    for await (const chunk of await openFile(path, signal)) hash.update(chunk);
  } catch {
    // The next reader finds out why the file cannot be read.
    return false;
  }
  return hash.digest('hex') === sha256;
}

/**
 * Lists the files that a path names, sorted by name: the file with exactly that name if it exists, otherwise the files that
 * match the path as a pattern (`*`, `?`, `[…]`, `{…}`, `**`).
 * @throws CodedError FF_FEED_MISSING if a pattern matches no file
 */
export async function matchingFiles(path: string): Promise<string[]> {
  if (!/[*?[\]{}]/.test(path) || (await stat(path).catch(() => undefined))) return [path];
  const files: string[] = [];
  for await (const entry of glob(path, { withFileTypes: true })) {
    if (!entry.isDirectory()) files.push(`${entry.parentPath}/${entry.name}`);
  }
  if (files.length === 0) throw new CodedError('FF_FEED_MISSING', `No file matches ${path}.`);
  return [...new Set(files)].sort();
}

/** Translates an error of node:fs. */
export function fileError(path: string, error: unknown): CodedError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new CodedError('FF_FEED_MISSING', `${path} does not exist.`, { cause: error });
  }
  return new CodedError('FF_FEED_UNREADABLE', `Cannot read ${path}: ${code ?? message}.`, { cause: error });
}

/** Opens the file at the first read. Throws at its end if the file was written meanwhile. */
async function* readFile(
  path: string,
  highWaterMark: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    const before = await file.stat();
    // A stream that is created with an aborted signal emits its error before a listener can be added: the process would exit.
    signal?.throwIfAborted();
    yield* file.createReadStream({ signal, highWaterMark, autoClose: false });
    const { size, mtimeMs } = await file.stat();
    const isSame = size === before.size && mtimeMs === before.mtimeMs;
    if (before.isFile() && !isSame) throw new Error('the file changed while it was read');
  } finally {
    await file.close();
  }
}
