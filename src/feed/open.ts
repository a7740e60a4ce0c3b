import { toCodedError } from '../core/errors.ts';
import type { Feed, FeedReceipt } from '../core/feed.ts';
import { createFeed, type ReadingOptions } from './content/create-feed.ts';
import { createReceiptRecorder } from './content/receipt.ts';
import type { Credentials } from './location/credentials.ts';
import type { Validators } from './location/http-request.ts';
import { matchingFiles } from './location/open-file.ts';
import {
  type FeedLocation,
  formatLocation,
  openLocation,
  parseFeedLocation,
  type SourceOptions,
} from './location/open-location.ts';

export interface FeedOptions {
  /** HTTP headers for the feed's own host, credentials among them; a redirect to another host does not get them. */
  headers?: Record<string, string>;
  /** Credentials for the feed's own host; they take the place of those in the address. */
  auth?: Credentials;
  /** Query parameters for the feed's own host. */
  query?: Readonly<Record<string, string>>;
  /** HTTP method; default GET. */
  method?: string;
  /** Body of the request. */
  body?: string;
  /** Charset label (WHATWG) of the feed; only a byte order mark is stronger. */
  encoding?: string;
  /** Cap in bytes on all pages and files together, as received and again as unpacked. Default 500 MB. */
  maxBytes?: number;
  /** How many times its own size a compressed feed may unpack to, once that is over 10 MB. Default 200. */
  maxRatio?: number;
  /** Longest wait, in ms, for the connection, the answer and between two pieces of it. Default 60 s. */
  timeoutMs?: number;
  /** How often opening is tried again after a transient failure. Default 3. */
  retries?: number;
  /** File to read from a ZIP archive; default: the only one in it. */
  member?: string;
  /** Whether a web page is welcome. Default false: it is taken for a login or error page. */
  acceptsHtml?: boolean;
  /** Whether addresses in private networks may be reached. Default false. */
  allowPrivateNetwork?: boolean;
  signal?: AbortSignal;
}

const DEFAULT_MAX_BYTES = 500_000_000;
const DEFAULT_MAX_RATIO = 200;
const DEFAULT_TIMEOUT_MS = 60_000;

/** The reading of everything that a location means. */
export interface FeedReading {
  /**
   * Opens the location, unless that has been done. `unmodified`: it is as the validators say, and there is nothing to read.
   * @throws CodedError as `openFeed` does
   */
  open(): Promise<'modified' | 'unmodified'>;
  /** The feed, or one for each file of a pattern; opens the location where that has not been done. */
  feeds(): AsyncGenerator<Feed>;
  /** Of all that was read so far; also tells why opening failed. */
  receipt(): FeedReceipt;
}

/**
 * Reads a location: an absolute path or a pattern of paths, a file:, http(s): or webcal: URL, or `-` for standard input.
 * @param validators of an earlier reading: then an http(s) location is asked whether it has changed since (RFC 9110, 13)
 * @throws CodedError FF_FEED_UNREADABLE for a location that feedferry does not read
 */
export function readFeeds(location: string, options: FeedOptions = {}, validators?: Validators): FeedReading {
  const place = parseFeedLocation(location);
  const reading = createReceiptRecorder(formatLocation(place));
  const contents = readingOptions(options);
  let opening: ReturnType<typeof openPlaces> | undefined;
  return { open, feeds, receipt: reading.receipt };

  async function open(): Promise<'modified' | 'unmodified'> {
    return (await opened()).first.status === 304 ? 'unmodified' : 'modified';
  }

  async function* feeds(): AsyncGenerator<Feed> {
    const { first, others } = await opened();
    yield createFeed(first, contents, reading);
    for (const other of others) {
      yield createFeed(await openLocation(other, sourceOptions(options)).catch(lose), contents, reading);
    }
  }

  function opened() {
    opening ??= openPlaces(place, options, validators).catch(lose);
    return opening;
  }

  function lose(error: unknown): never {
    reading.markIncomplete(toCodedError(error).message);
    throw error;
  }
}

/**
 * Opens one feed: a location as `readFeeds` takes, but for patterns.
 *
 * Reading throws FF_FEED_FORMAT (empty, blank, a web page), FF_FEED_CHARSET or FF_FEED_TOO_LARGE. A feed that breaks off
 * ends where it broke, and its receipt says that it is not complete.
 * @throws CodedError FF_FEED_MISSING, FF_FEED_UNREADABLE, FF_FEED_STATUS, FF_FEED_TIMEOUT or FF_FEED_ADDRESS.
 */
export async function openFeed(location: string, options: FeedOptions = {}): Promise<Feed> {
  const place = parseFeedLocation(location);
  const reading = createReceiptRecorder(formatLocation(place));
  return createFeed(await openLocation(place, sourceOptions(options)), readingOptions(options), reading);
}

async function openPlaces(place: FeedLocation, options: FeedOptions, validators: Validators | undefined) {
  if (place.is !== 'file') return { first: await openLocation(place, sourceOptions(options), validators), others: [] };
  const [path = place.path, ...others] = await matchingFiles(place.path);
  const first = await openLocation({ is: 'file', path }, sourceOptions(options));
  return { first, others: others.map((other): FeedLocation => ({ is: 'file', path: other })) };
}

function sourceOptions(options: FeedOptions): SourceOptions {
  const { headers, auth, query, method, body, retries, signal } = options;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, allowPrivateNetwork = false } = options;
  return { headers, auth, query, method, body, retries, signal, timeoutMs, allowPrivateNetwork };
}

function readingOptions(options: FeedOptions): ReadingOptions {
  const { encoding, member, acceptsHtml, signal } = options;
  const { maxBytes = DEFAULT_MAX_BYTES, maxRatio = DEFAULT_MAX_RATIO } = options;
  return { encoding, member, acceptsHtml, signal, maxBytes, maxRatio };
}
