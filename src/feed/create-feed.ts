import { createHash } from 'node:crypto';
import { CodedError } from '../core/errors.ts';
import type { Feed, FeedReceipt } from '../core/feed.ts';
import { decodeText } from './charset.ts';
import { decodeContent, gunzipByMagic } from './decompress.ts';
import { refuseNonFeeds } from './sniff.ts';

/** Bytes as they are received, and what is known of them. */
export interface ByteSource {
  /** As people may see it: without credentials. */
  location: string;
  bytes: AsyncIterable<Uint8Array>;
  /** An error of `bytes` as a CodedError. */
  toError(error: unknown): CodedError;
  /** `performance.now()` when opening began. */
  startedAt: number;
  status?: number;
  contentType?: string;
  contentEncoding?: string;
  etag?: string;
  lastModified?: string;
}

export interface ReadingOptions {
  encoding?: string;
  maxBytes: number;
  signal?: AbortSignal;
}

/** What is known of a feed while it is read. */
interface Progress {
  hash: ReturnType<typeof createHash>;
  bytes: number;
  sha256?: string;
  charset?: string;
  durationMs?: number;
  ended: boolean;
  /** Why the feed is not whole. */
  broken?: string;
}

/** Makes a feed of bytes: measured, unpacked, refused where they are no feed, and decoded to text on demand. */
export function createFeed(source: ByteSource, options: ReadingOptions): Feed {
  const progress: Progress = { hash: createHash('sha256'), bytes: 0, ended: false };
  // 206 and the like: an answer that says itself that it is a part.
  if (source.status !== undefined && source.status !== 200) progress.broken = `the status is ${source.status}, not 200`;
  let opened = false;
  const bytes = (): AsyncGenerator<Uint8Array> => {
    if (opened) throw new CodedError('FF_BUG', `${source.location} was read twice.`);
    opened = true;
    return refuseNonFeeds(unpacked(source, options, progress), source.location);
  };
  return {
    location: source.location,
    contentType: contentTypeOf(source, options),
    bytes,
    text: () =>
      decodeText(bytes(), {
        location: source.location,
        encoding: options.encoding,
        contentType: source.contentType,
        isCutOff: () => progress.broken !== undefined,
        onCharset: (charset) => {
          progress.charset = charset;
        },
      }),
    receipt: () => receiptOf(source, progress),
  };
}

async function* unpacked(source: ByteSource, options: ReadingOptions, progress: Progress): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    const contents = decodeContent(received(source, options, progress), source.contentEncoding);
    for await (const chunk of gunzipByMagic(contents)) {
      length += chunk.length;
      if (length > options.maxBytes) throw tooLarge(source, options, 'unpacks to');
      yield chunk;
    }
  } catch (error) {
    if (error instanceof CodedError) throw error;
    options.signal?.throwIfAborted();
    const reason = progress.broken ?? `the compressed data is damaged or cut off (${message(error)})`;
    if (length === 0) throw new CodedError('FF_FEED_UNREADABLE', `${source.location}: ${reason}.`, { cause: error });
    progress.broken = reason;
  } finally {
    progress.durationMs = performance.now() - source.startedAt;
  }
  progress.ended = true;
}

/** Measures the bytes as they come. Where they break off after a beginning, the stream just ends: what came is used. */
async function* received(source: ByteSource, options: ReadingOptions, progress: Progress): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of source.bytes) {
      progress.bytes += chunk.length;
      progress.hash.update(chunk);
      if (progress.bytes > options.maxBytes) throw tooLarge(source, options, 'has');
      yield chunk;
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    const coded = error instanceof CodedError ? error : source.toError(error);
    if (coded.code === 'FF_FEED_TOO_LARGE' || progress.bytes === 0) throw coded;
    progress.broken = `it broke off after ${progress.bytes} bytes (${message(error)})`;
  }
}

/** Who reads bytes learns of the charset here: the user's label takes the place of the declared one. */
function contentTypeOf({ contentType }: ByteSource, { encoding }: ReadingOptions): string | undefined {
  return encoding === undefined ? contentType : `${contentType?.split(';')[0] ?? 'text/plain'}; charset=${encoding}`;
}

function receiptOf(source: ByteSource, progress: Progress): FeedReceipt {
  progress.sha256 ??= progress.ended ? progress.hash.digest('hex') : undefined;
  const reason = progress.broken ?? (progress.ended ? undefined : 'it was not read to its end');
  return {
    location: source.location,
    bytes: progress.bytes,
    sha256: progress.sha256 ?? progress.hash.copy().digest('hex'),
    durationMs: Math.round(progress.durationMs ?? performance.now() - source.startedAt),
    complete: reason === undefined,
    ...(source.status === undefined ? {} : { status: source.status }),
    ...(source.etag === undefined ? {} : { etag: source.etag }),
    ...(source.lastModified === undefined ? {} : { lastModified: source.lastModified }),
    ...(progress.charset === undefined ? {} : { charset: progress.charset }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function tooLarge(source: ByteSource, options: ReadingOptions, verb: string): CodedError {
  return new CodedError('FF_FEED_TOO_LARGE', `${source.location} ${verb} more than ${options.maxBytes} bytes.`);
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
