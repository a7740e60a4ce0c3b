import { CodedError } from '../core/errors.ts';
import type { Feed } from '../core/feed.ts';
import { createFeed } from './create-feed.ts';
import { fileError, openFile } from './file.ts';
import { httpGet, toFeedError } from './http.ts';
import { parseLocation, redactUrl } from './location.ts';

export interface FeedOptions {
  /** HTTP headers for the feed's own host, credentials among them; a redirect to another host does not get them. */
  headers?: Record<string, string>;
  /** Charset label (WHATWG) of the feed; only a byte order mark is stronger. */
  encoding?: string;
  /** Cap in bytes, as received and again as unpacked. Default 500 MB. */
  maxBytes?: number;
  /** Longest wait, in ms, for the connection, the answer and between two pieces of it. Default 60 s. */
  timeoutMs?: number;
  /** Whether addresses in private networks may be reached. Default false. */
  allowPrivateNetwork?: boolean;
  signal?: AbortSignal;
}

const DEFAULT_MAX_BYTES = 500_000_000;
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Opens a feed: an absolute path, or a file:, http(s): or webcal: URL.
 *
 * Reading throws FF_FEED_FORMAT (empty, blank, a web page), FF_FEED_CHARSET or FF_FEED_TOO_LARGE. A feed that breaks off
 * ends where it broke, and its receipt says that it is not complete.
 * @throws CodedError FF_FEED_MISSING, FF_FEED_UNREADABLE, FF_FEED_STATUS, FF_FEED_TIMEOUT or FF_FEED_ADDRESS.
 */
export async function openFeed(location: string, options: FeedOptions = {}): Promise<Feed> {
  const place = parseLocation(location);
  const reading = {
    maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
    encoding: options.encoding,
    signal: options.signal,
  };
  const startedAt = performance.now();
  if (place.is === 'file') {
    const { path } = place;
    const bytes = await openFile(path, options.signal);
    return createFeed(
      { location: path, bytes, toError: (error) => fileError(path, asError(error)), startedAt },
      reading,
    );
  }
  const { url } = place;
  const { status, headers, body } = await httpGet(url, {
    headers: options.headers,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    allowPrivateNetwork: options.allowPrivateNetwork ?? false,
    signal: options.signal,
  });
  return createFeed(
    {
      location: redactUrl(url),
      bytes: body,
      toError: (error) => toFeedError(error, url),
      startedAt,
      status,
      contentType: headers['content-type'],
      contentEncoding: headers['content-encoding'],
      etag: headers.etag,
      lastModified: headers['last-modified'],
    },
    reading,
  );
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new CodedError('FF_BUG', String(error));
}
