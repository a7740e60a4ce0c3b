import { fileURLToPath } from 'node:url';
import type { SourceConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';

/** Where bytes are read from: a file on this machine or an http(s) URL. */
export type Location = { is: 'file'; path: string } | { is: 'http'; url: URL };

/** Where a feed is read from; `-` is standard input. */
export type FeedLocation = Location | { is: 'stdin' };

/**
 * Parses a location: a path, or a file:, http:, https: or webcal(s): URL (webcal means https).
 * @throws CodedError FF_FEED_UNREADABLE for any other scheme
 */
export function parseLocation(location: string): Location {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(location)?.[1]?.toLowerCase();
  if (scheme === undefined) return { is: 'file', path: location };
  const url = URL.parse(location.replace(/^webcals?:/i, 'https:'));
  if (url === null) throw new CodedError('FF_FEED_UNREADABLE', `The location is not a valid ${scheme}: URL.`);
  if (url.protocol === 'file:') return { is: 'file', path: filePath(url) };
  if (url.protocol === 'http:' || url.protocol === 'https:') return { is: 'http', url };
  throw new CodedError(
    'FF_FEED_UNREADABLE',
    `${scheme}: URLs are not supported. Use a path or a file:, http(s): or webcal: URL.`,
  );
}

/** @throws CodedError FF_FEED_UNREADABLE if feedferry does not read such locations */
export function parseFeedLocation(location: string): FeedLocation {
  return location === '-' ? { is: 'stdin' } : parseLocation(location);
}

/** Formats a location for people, without credentials. */
export function formatLocation(location: FeedLocation): string {
  if (location.is === 'stdin') return 'standard input';
  return location.is === 'file' ? location.path : redactUrl(location.url);
}

/**
 * Formats a URL for people. Secrets hide in the user info, in query values and in the "private-…" path segments of
 * published calendars, so all three are masked.
 */
export function redactUrl(url: URL): string {
  const shown = withoutCredentials(url);
  shown.hash = '';
  shown.pathname = shown.pathname.replace(/\/private-[^/]+/g, '/private-***');
  const query = [...shown.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=***`).join('&');
  shown.search = '';
  return query === '' ? shown.href : `${shown.href}?${query}`;
}

export function withoutCredentials(url: URL): URL {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain;
}

/** A bearer token, or user name and password. */
export type Credentials = { bearer: string } | { user: string; password: string };

/** How access tokens are requested. */
export type Login = Extract<SourceConfig['feed']['auth'], { type: string }>;

/** Reads the credentials in a URL (`https://user:password@…`). */
export function credentialsOf({ username, password }: URL): Credentials | undefined {
  if (username === '' && password === '') return undefined;
  return { user: decodeUrlPart(username), password: decodeUrlPart(password) };
}

/** Percent-decodes a part of a URL; returns a malformed part unchanged. */
export function decodeUrlPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function filePath(url: URL): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new CodedError('FF_FEED_UNREADABLE', `${redactUrl(url)} is not a path on this machine.`, { cause });
  }
}
