import { CodedError, messageOf } from '../../core/errors.ts';
import type { Feed, FeedPage, FeedSheet, PageRefusal } from '../../core/feed.ts';
import { decodeText } from './charset.ts';
import { decodeContent, unpackFile } from './decompress.ts';
import type { FeedSettings } from './feed-options.ts';
import type { ReceiptRecorder } from './receipt.ts';
import { refuseNonFeeds } from './refuse-non-feeds.ts';

/** Bytes as they are received, and their metadata. */
export interface ByteSource
  extends Pick<Feed, 'url' | 'nextPage' | 'query' | 'sendsJson' | 'headers' | 'withheldFrom'> {
  /** For people, without credentials. */
  location: string;
  bytes: AsyncIterable<Uint8Array>;
  /** Translates an error of `bytes`. */
  toError(error: unknown): CodedError;
  /** Opens another page. */
  follow(page: FeedPage): Promise<ByteSource>;
  /** Returns the refusal that an error of `follow` reports. */
  refusalOf?(error: unknown): PageRefusal | undefined;
  status?: number;
  /** Whether the source has not changed since an earlier reading, and need not be read. */
  isUnmodified?: boolean;
  contentType?: string;
  contentEncoding?: string;
  /** HTTP: whether the response shows its own end. */
  isFramed?: boolean;
  contentRange?: string;
  etag?: string;
  lastModified?: string;
  /** In seconds. */
  age?: number;
}

/** Unpacked content up to this size, in bytes, is no decompression bomb, whatever its ratio. */
const HARMLESS_BYTES = 10_000_000;

/** Creates a feed from bytes: measures and unpacks the bytes, refuses other content than a feed, and decodes text on demand. */
export function createFeed(source: ByteSource, settings: FeedSettings, recorder: ReceiptRecorder): Feed {
  const { location, contentType } = source;
  const { encoding, member, sheet, maxBytes, maxRatio, acceptsHtml, signal } = settings;
  const { totals } = recorder;
  const part = recorder.begin(source);
  let isOpened = false;
  let unpacked = 0;
  let readSheet: FeedSheet | undefined;
  return {
    location,
    url: source.url,
    nextPage: source.nextPage,
    query: source.query,
    sendsJson: source.sendsJson,
    headers: source.headers,
    withheldFrom: source.withheldFrom,
    sheet: () => readSheet,
    // A connector that reads bytes takes the charset from here.
    contentType:
      encoding === undefined ? contentType : `${contentType?.split(';')[0] ?? 'text/plain'}; charset=${encoding}`,
    bytes,
    text: () =>
      decodeText(bytes(), {
        location,
        encoding,
        contentType,
        isCutOff: () => part.brokeOff !== undefined,
        onCharset: (charset, charsetConfidence) => Object.assign(part, { charset, charsetConfidence }),
        warn: (warning) => recorder.damage.warnings.push({ location, ...warning }),
        onMark: () => {
          recorder.damage.hasMarks = true;
        },
      }),
    follow,
    receipt: recorder.receipt,
  };

  function bytes(): AsyncGenerator<Uint8Array> {
    if (isOpened) throw new CodedError('FF_BUG', `${location} was read twice.`);
    isOpened = true;
    return refuseNonFeeds(unpack(), location, { acceptsHtml });
  }

  async function follow(page: FeedPage): Promise<Feed>;
  async function follow(page: FeedPage, isEnd: (refusal: PageRefusal) => boolean): Promise<Feed | undefined>;
  async function follow(page: FeedPage, isEnd?: (refusal: PageRefusal) => boolean): Promise<Feed | undefined> {
    const next = await source.follow(page).catch((error: unknown) => {
      const refusal = isEnd && source.refusalOf?.(error);
      if (refusal && isEnd(refusal)) return undefined;
      recorder.fail(`the next page could not be read: ${messageOf(error)}`);
      throw error;
    });
    return next && createFeed(next, settings, recorder);
  }

  async function* unpack(): AsyncGenerator<Uint8Array> {
    let length = 0;
    try {
      const contents = decodeContent(receive(), source.contentEncoding);
      const onSheet = (found: FeedSheet) => {
        readSheet = found;
      };
      for await (const chunk of unpackFile(contents, { member, sheet, location, admit, onSheet })) {
        length += chunk.length;
        if (readSheet === undefined) admit(chunk.length);
        yield chunk;
      }
    } catch (error) {
      if (error instanceof CodedError) throw error;
      signal?.throwIfAborted();
      const reason = part.brokeOff ?? `the compressed data is damaged or cut off (${messageOf(error)})`;
      // The beginning of a file that is cut off is sound. The unpacked content of a damaged file may be anything.
      const isDamaged = error instanceof Error && 'code' in error && error.code === 'Z_DATA_ERROR';
      if (length === 0 || isDamaged)
        throw new CodedError('FF_FEED_UNREADABLE', `${location}: ${reason}.`, { cause: error });
      part.brokeOff = reason;
    } finally {
      recorder.end();
    }
    part.ended = true;
  }

  /** @throws CodedError FF_FEED_TOO_LARGE if the bytes unpacked so far are too many */
  function admit(bytes: number): void {
    unpacked += bytes;
    totals.unpacked += bytes;
    if (totals.unpacked > maxBytes) throw tooLarge(`unpacks to more than ${maxBytes} bytes`, 'maxBytes');
    if (unpacked > HARMLESS_BYTES && unpacked > part.bytes * maxRatio) {
      throw tooLarge(`unpacks to more than ${maxRatio} times its size`, 'maxRatio');
    }
  }

  /** Measures the bytes as they arrive. If they break off after a beginning, the stream ends there, and the beginning is used. */
  async function* receive(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of source.bytes) {
        recorder.receive(part, chunk);
        if (totals.received > maxBytes) throw tooLarge(`has more than ${maxBytes} bytes`, 'maxBytes');
        yield chunk;
      }
    } catch (error) {
      signal?.throwIfAborted();
      const coded = error instanceof CodedError ? error : source.toError(error);
      if (coded.code === 'FF_FEED_TOO_LARGE' || part.bytes === 0) throw coded;
      part.brokeOff = `it was cut off after ${part.bytes} bytes (${messageOf(error)})`;
    }
  }

  function tooLarge(problem: string, limit: 'maxBytes' | 'maxRatio'): CodedError {
    const remedy = `Check the feed. If its size is correct, raise source.${limit}.`;
    return new CodedError('FF_FEED_TOO_LARGE', `${location} ${problem}.`, { remedy });
  }
}
