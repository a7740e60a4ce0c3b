import { fileURLToPath } from 'node:url';
import { CodedError } from '../../core/errors.ts';

/** Where bytes come from: a file on this machine or an http(s) address. */
export type Location = { is: 'file'; path: string } | { is: 'http'; url: URL };

/**
 * Reads a location: an absolute path, or a file:, http:, https: or webcal(s): URL (webcal means https).
 * @throws CodedError FF_FEED_UNREADABLE for any other scheme.
 */
export function parseLocation(location: string): Location {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(location)?.[1]?.toLowerCase();
  if (scheme === undefined) return { is: 'file', path: location };
  const url = URL.parse(location.replace(/^webcals?:/i, 'https:'));
  if (url === null)
    throw new CodedError('FF_FEED_UNREADABLE', `The location of the feed is not a valid ${scheme}: URL.`);
  if (url.protocol === 'file:') return { is: 'file', path: filePath(url) };
  if (url.protocol === 'http:' || url.protocol === 'https:') return { is: 'http', url };
  throw new CodedError(
    'FF_FEED_UNREADABLE',
    `feedferry does not read ${scheme}: locations, only files, http(s) and webcal.`,
  );
}

/**
 * An address as people may see it. Secrets hide in the user info, in query values and in the "private-…" path parts of
 * published calendars, so all three are masked.
 */
export function redactUrl(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  shown.hash = '';
  shown.pathname = shown.pathname.replace(/\/private-[^/]+/g, '/private-***');
  const query = [...shown.searchParams.keys()].map((name) => `${encodeURIComponent(name)}=***`).join('&');
  shown.search = '';
  return query === '' ? shown.href : `${shown.href}?${query}`;
}

function filePath(url: URL): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new CodedError('FF_FEED_UNREADABLE', `${redactUrl(url)} names no file on this machine.`, { cause });
  }
}
