import { CodedError } from '../../core/errors.ts';
import type { Feed } from '../../core/feed.ts';
import { decodeText } from './charset.ts';
import { decodeContent, unpackFile } from './decompress.ts';
import { createReceiptRecorder, type FeedPart, type ReceiptRecorder } from './receipt.ts';
import { refuseNonFeeds } from './refuse-non-feeds.ts';

/** Which further page: see `Feed.follow`. */
export type FeedPage = Parameters<Feed['follow']>[0];

/** Bytes as they are received, and what is known of them. */
export interface ByteSource {
  /** As people may see it: without credentials. */
  location: string;
  bytes: AsyncIterable<Uint8Array>;
  /** An error of `bytes` as a CodedError. */
  toError(error: unknown): CodedError;
  /** Opens a further page. */
  follow(page: FeedPage): Promise<ByteSource>;
  status?: number;
  contentType?: string;
  contentEncoding?: string;
  etag?: string;
  lastModified?: string;
  nextPage?: string;
}

export interface ReadingOptions {
  encoding?: string;
  /** Cap in bytes on all pages together, as received and again as unpacked. */
  maxBytes: number;
  /** How many times its own size a page may unpack to. */
  maxRatio: number;
  /** File to take from a ZIP archive; absent: the only one. */
  member?: string;
  /** Web pages are feeds, too: data stands in them. */
  acceptsHtml?: boolean;
  signal?: AbortSignal;
}

/** Less than this, unpacked, is no bomb whatever its ratio; in bytes. */
const HARMLESS_BYTES = 10_000_000;

/** Makes a feed of bytes: measured, unpacked, refused where they are no feed, and decoded to text on demand. */
export function createFeed(
  source: ByteSource,
  options: ReadingOptions,
  reading: ReceiptRecorder = createReceiptRecorder(source.location),
): Feed {
  const part = beginPart(source, reading);
  let opened = false;
  const bytes = (): AsyncGenerator<Uint8Array> => {
    if (opened) throw new CodedError('FF_BUG', `${source.location} was read twice.`);
    opened = true;
    return refuseNonFeeds(unpacked(source, part, options, reading), source.location, options);
  };
  return {
    location: source.location,
    ...(source.nextPage === undefined ? {} : { nextPage: source.nextPage }),
    contentType: contentTypeOf(source, options),
    bytes,
    text: () =>
      decodeText(bytes(), {
        location: source.location,
        encoding: options.encoding,
        contentType: source.contentType,
        isCutOff: () => part.incompleteReason !== undefined,
        onCharset: (charset, confidence) => {
          part.charset = charset;
          part.charsetConfidence = confidence;
        },
      }),
    follow: async (page) => createFeed(await followed(source, page, reading), options, reading),
    receipt: reading.receipt,
  };
}

function beginPart({ location, status, etag, lastModified }: ByteSource, reading: ReceiptRecorder): FeedPart {
  const part: FeedPart = { location, status, etag, lastModified, bytes: 0, ended: false };
  // 206 and the like: an answer that says itself that it is a part.
  if (status !== undefined && status !== 200) part.incompleteReason = `the status is ${status}, not 200`;
  reading.begin(part);
  return part;
}

async function followed(source: ByteSource, page: FeedPage, reading: ReceiptRecorder): Promise<ByteSource> {
  try {
    return await source.follow(page);
  } catch (error) {
    reading.markIncomplete(`a further page could not be read (${message(error)})`);
    throw error;
  }
}

async function* unpacked(
  source: ByteSource,
  part: FeedPart,
  options: ReadingOptions,
  reading: ReceiptRecorder,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    const contents = decodeContent(received(source, part, options, reading), source.contentEncoding);
    for await (const chunk of unpackFile(contents, { member: options.member, location: source.location })) {
      length += chunk.length;
      reading.unpacked += chunk.length;
      if (reading.unpacked > options.maxBytes) throw tooLarge(source, `unpacks to more than ${options.maxBytes} bytes`);
      if (length > HARMLESS_BYTES && length > part.bytes * options.maxRatio) {
        throw tooLarge(source, `unpacks to more than ${options.maxRatio} times its size`, 'maxRatio');
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof CodedError) throw error;
    options.signal?.throwIfAborted();
    const reason = part.incompleteReason ?? `the compressed data is damaged or cut off (${message(error)})`;
    if (length === 0) throw new CodedError('FF_FEED_UNREADABLE', `${source.location}: ${reason}.`, { cause: error });
    part.incompleteReason = reason;
  } finally {
    reading.end();
  }
  part.ended = true;
}

/** Measures the bytes as they come. Where they break off after a beginning, the stream just ends: what came is used. */
async function* received(
  source: ByteSource,
  part: FeedPart,
  options: ReadingOptions,
  reading: ReceiptRecorder,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of source.bytes) {
      reading.receive(part, chunk);
      if (reading.received > options.maxBytes) throw tooLarge(source, `has more than ${options.maxBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    const coded = error instanceof CodedError ? error : source.toError(error);
    if (coded.code === 'FF_FEED_TOO_LARGE' || part.bytes === 0) throw coded;
    part.incompleteReason = `it broke off after ${part.bytes} bytes (${message(error)})`;
  }
}

/** Who reads bytes learns of the charset here: the user's label takes the place of the declared one. */
function contentTypeOf({ contentType }: ByteSource, { encoding }: ReadingOptions): string | undefined {
  return encoding === undefined ? contentType : `${contentType?.split(';')[0] ?? 'text/plain'}; charset=${encoding}`;
}

function tooLarge(source: ByteSource, what: string, limit = 'maxBytes'): CodedError {
  return new CodedError('FF_FEED_TOO_LARGE', `${source.location} ${what}.`, {
    remedy: `Check the feed; raise source.${limit} if it is right.`,
  });
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
