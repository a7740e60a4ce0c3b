import { dirname, resolve } from 'node:path';
import { CodedError, toCodedError } from '../../core/errors.ts';
import type { ByteSource, FeedPage } from '../content/create-feed.ts';
import { credentialsOf, withoutCredentials } from './credentials.ts';
import { toFeedError } from './http-errors.ts';
import { type FeedRequestOptions, httpRequest, type Validators } from './http-request.ts';
import { type Location, parseLocation, redactUrl } from './location.ts';
import { nextLink } from './next-link.ts';
import { fileError, openFile } from './open-file.ts';

export interface SourceOptions extends Omit<FeedRequestOptions, 'validators' | 'accept' | 'acceptEncoding'> {
  /** Query parameters for the source's own host, where its address does not have them. */
  query?: Readonly<Record<string, string>>;
}

/** Where a source is read from; `-` is standard input. */
export type FeedLocation = Location | { is: 'stdin' };

/** @throws CodedError FF_FEED_UNREADABLE for a location that feedferry does not read */
export function parseFeedLocation(location: string): FeedLocation {
  return location === '-' ? { is: 'stdin' } : parseLocation(location);
}

/** A place as people may see it: without credentials. */
export function formatLocation(place: FeedLocation): string {
  if (place.is === 'stdin') return 'standard input';
  return place.is === 'file' ? place.path : redactUrl(place.url);
}

/**
 * Opens one page or file of a source.
 * @throws CodedError FF_FEED_MISSING, FF_FEED_UNREADABLE, FF_FEED_STATUS, FF_FEED_TIMEOUT or FF_FEED_ADDRESS
 */
export function openLocation(
  place: FeedLocation,
  options: SourceOptions,
  validators?: Validators,
): Promise<ByteSource> {
  if (place.is !== 'http') return openPage(place, { ...options, home: undefined });
  // What is configured is for the host of the source itself, wherever its pages lead.
  const auth = options.auth ?? credentialsOf(place.url);
  const url = withoutCredentials(place.url);
  return openPage({ is: 'http', url }, { ...options, ...(auth ? { auth } : {}), home: url.origin }, validators);
}

type PageOptions = SourceOptions & { home: string | undefined };

async function openPage(place: FeedLocation, options: PageOptions, validators?: Validators): Promise<ByteSource> {
  if (place.is === 'http') return openHttp(place.url, options, validators);
  return {
    location: formatLocation(place),
    bytes: place.is === 'stdin' ? process.stdin : await openFile(place.path, options.signal),
    toError: (error) => fileError(formatLocation(place), error instanceof Error ? error : toCodedError(error)),
    follow: async (page) => openPage(nextPlace(page, place), options),
  };
}

async function openHttp(address: URL, options: PageOptions, validators?: Validators): Promise<ByteSource> {
  const { home, headers, auth, method, body, query, ...common } = options;
  const isHome = address.origin === home;
  const url = isHome ? withQuery(address, query) : address;
  const personal = isHome ? { headers, auth, method, body } : {};
  // Other methods do not answer 304 (RFC 9110, 13.1.2).
  const conditional = validators && (method === undefined || method === 'GET') ? { validators } : {};
  const response = await httpRequest(url, { ...common, ...personal, ...conditional });
  return {
    location: redactUrl(url),
    bytes: response.body,
    toError: (error) => toFeedError(error, url),
    follow: async (page) => openPage(nextPlace(page, { is: 'http', url: response.url }), options),
    status: response.status,
    contentType: response.headers['content-type'],
    contentEncoding: response.headers['content-encoding'],
    etag: response.headers.etag,
    lastModified: response.headers['last-modified'],
    nextPage: nextLink(response.headers.link),
  };
}

function withQuery(url: URL, query: SourceOptions['query'] = {}): URL {
  const added = Object.entries(query).filter(([name]) => !url.searchParams.has(name));
  if (added.length === 0) return url;
  const full = new URL(url);
  for (const [name, value] of added) full.searchParams.set(name, value);
  return full;
}

function nextPlace(page: FeedPage, from: FeedLocation): FeedLocation {
  if (typeof page === 'string') return from.is === 'http' ? nextAddress(page, from.url) : nextFile(page, from);
  if (from.is !== 'http')
    throw new CodedError('FF_FEED_UNREADABLE', `${formatLocation(from)} has no pages to ask for.`);
  const url = new URL(from.url);
  for (const [name, value] of Object.entries(page.query)) url.searchParams.set(name, value);
  return { is: 'http', url };
}

/** A page from the network leads to the network, never to a file of this machine. */
function nextAddress(page: string, from: URL): FeedLocation {
  const url = URL.parse(page.replace(/^webcals?:/i, 'https:'), from.href);
  if (url !== null && /^https?:$/.test(url.protocol)) return { is: 'http', url: withoutCredentials(url) };
  throw new CodedError('FF_FEED_UNREADABLE', `${redactUrl(from)} names a next page that is no http(s) address.`);
}

function nextFile(page: string, from: Exclude<FeedLocation, { is: 'http' }>): FeedLocation {
  const place = parseLocation(page);
  return place.is === 'file' && from.is === 'file'
    ? { ...place, path: resolve(dirname(from.path), place.path) }
    : place;
}
