import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttachmentFile, RemoteFile } from '../../core/attachment.ts';
import { CodedError, TransientError } from '../../core/errors.ts';
import { type FeedRequestOptions, httpRequest } from '../location/http-request.ts';
import { decodeUrlPart, redactUrl } from '../location/location.ts';
import { describe, tooLarge, unreadable } from './attachment-file.ts';

/** Programs add other data after the end of a file, so that the end is looked for in this many bytes. */
const TAIL = 65_536;

/** Media type → whether the bytes at the end of a file, or the first ones with its size, show its end. */
const ends: Readonly<Record<string, (tail: Buffer, first: Buffer, size: number) => boolean>> = {
  'image/jpeg': (tail) => tail.includes(Buffer.of(0xff, 0xd9)),
  'image/png': (tail) => tail.includes('IEND', 0, 'latin1'),
  'image/apng': (tail) => tail.includes('IEND', 0, 'latin1'),
  'image/gif': (tail) => tail.findLast((byte) => byte !== 0) === 0x3b,
  'image/webp': (_, first, size) => first.readUInt32LE(4) + 8 <= size + 1,
  'application/pdf': (tail) => tail.includes('%%EOF', 0, 'latin1'),
};

/** A copy of a remote file. Disposing it removes the copy. */
export interface Download extends Omit<AttachmentFile, 'fingerprint'> {
  remote: RemoteFile;
}

export interface DownloadOptions extends FeedRequestOptions {
  maxBytes: number;
  /** Longest time for the file, in ms, with all attempts. */
  totalMs: number;
}

/**
 * Streams a remote file to a temporary one, which only this user can read. Returns undefined if validators are given and still
 * hold (RFC 9110, 13). A failed download leaves no file; the system removes the file of a killed process.
 * @throws CodedError FF_ATTACHMENT_UNREADABLE, FF_ATTACHMENT_TOO_LARGE or FF_ATTACHMENT_TYPE; the reason of an aborted signal
 */
export async function download(url: URL, options: DownloadOptions): Promise<Download | undefined> {
  const place = redactUrl(url);
  const hash = createHash('sha256');
  const overdue = AbortSignal.timeout(options.totalMs);
  const signal = options.signal ? AbortSignal.any([options.signal, overdue]) : overdue;
  let folder: string | undefined;
  try {
    const response = await httpRequest(url, { ...options, signal, accept: '*/*', acceptEncoding: 'identity' });
    if (response.status === 304) return undefined;
    folder = await mkdtemp(join(tmpdir(), 'feedferry-file-'));
    const path = join(folder, 'attachment');
    await writeFile(path, measured(response.body), { flag: 'wx', mode: 0o600 });
    const content = await openAsBlob(path);
    const file = await describe({ place, name: decodeUrlPart(url.pathname), content });
    // Without a length, a connection that breaks off looks like the end.
    const hasEnd =
      response.headers['content-length'] !== undefined || response.headers['transfer-encoding'] !== undefined;
    if (!hasEnd && (await isCutOff(content, file.mediaType))) throw new Error('the file breaks off before its end');
    const { etag, 'last-modified': lastModified } = response.headers;
    const sha256 = hash.digest('hex');
    return {
      ...file,
      sha256,
      remote: { sha256, etag, lastModified, facts: file.facts },
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove();
    options.signal?.throwIfAborted();
    const isTranslated = error instanceof CodedError && error.code.startsWith('FF_ATTACHMENT_');
    if (isTranslated || !overdue.aborted) throw isTranslated ? error : unreadable(place, error);
    const message = `${place} was not received within ${options.totalMs / 1000} s.`;
    throw unreadable(place, new TransientError('FF_FEED_TIMEOUT', message, { cause: error }));
  }

  async function remove(): Promise<void> {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async function* measured(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let length = 0;
    for await (const chunk of body) {
      length += chunk.length;
      if (length > options.maxBytes) throw tooLarge(place, options.maxBytes);
      hash.update(chunk);
      yield chunk;
    }
  }
}

/** Returns whether a file lacks its end. The first half may have the end of a picture in the picture. */
export async function isCutOff(content: Blob, mediaType: string): Promise<boolean> {
  const isWhole = ends[mediaType];
  if (isWhole === undefined) return false;
  const bytesFrom = async (start: number, end: number) => Buffer.from(await content.slice(start, end).arrayBuffer());
  const { size } = content;
  return !isWhole(await bytesFrom(Math.max(size / 2, size - TAIL), size), await bytesFrom(0, 12), size);
}
