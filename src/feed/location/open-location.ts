import { dirname, resolve } from 'node:path';
import { CodedError } from '../../core/errors.ts';
import type { FeedPage } from '../../core/feed.ts';
import type { FeedValidators } from '../../core/source-reading.ts';
import type { ByteSource } from '../content/create-feed.ts';
import type { FeedSettings } from '../content/feed-options.ts';
import type { GuardedAgent } from './address-guard.ts';
import {
  type Credentials,
  credentialsOf,
  type FeedLocation,
  formatLocation,
  parseLocation,
  redactUrl,
  withoutCredentials,
} from './location.ts';
import { fileError, hasHash, openFile } from './open-file.ts';

/**
 * Opens one page or file of a feed.
 * @throws CodedError FF_FEED_MISSING, FF_FEED_UNREADABLE, FF_FEED_STATUS, FF_FEED_TIMEOUT or FF_FEED_ADDRESS
 */
export function openLocation(
  location: FeedLocation,
  settings: FeedSettings,
  validators?: FeedValidators,
): Promise<ByteSource> {
  if (location.is !== 'http') return openPage(location, settings, validators);
  // Credentials and the like are for the feed's own host, even if pages of the feed lead to other hosts and back.
  const auth = settings.auth ?? credentialsOf(location.url);
  const url = withoutCredentials(location.url);
  return openHttp(
    url,
    { ...settings, auth, home: url.origin, jar: settings.cookies ? new Map() : undefined },
    validators,
  );
}

/** Pages of one feed share cookies and an agent, so that they come over the same connection. */
type PageSettings = FeedSettings & { home?: string; agent?: GuardedAgent; jar?: Map<string, string> };

async function openPage(page: FeedLocation, settings: PageSettings, validators?: FeedValidators): Promise<ByteSource> {
  if (page.is === 'http') return openHttp(page.url, settings);
  const location = formatLocation(page);
  return {
    location,
    isUnmodified: page.is === 'file' && (await hasHash(page.path, validators?.sha256, settings.signal)),
    bytes: page.is === 'stdin' ? process.stdin : await openFile(page.path, settings.signal, settings.firstOnly),
    toError: (error) => fileError(location, error),
    follow: async (next) => openPage(resolvePage(next, page), settings),
  };
}

async function openHttp(address: URL, settings: PageSettings, validators?: FeedValidators): Promise<ByteSource> {
  const { home, headers, auth, method, body, query, localOnly, jar, ...common } = settings;
  if (localOnly) throw new CodedError('FF_FEED_UNREADABLE', `${redactUrl(address)} is in the network.`);
  const isHome = address.origin === home;
  const url = isHome ? withQuery(address, query) : address;
  const personal = isHome ? { headers, method, body, jar } : {};
  // Only a GET can return 304 (RFC 9110, 13.1.2).
  const conditional = method === undefined || method === 'GET' ? { validators } : {};
  // Local feeds need no HTTP client.
  const [
    { createAgent },
    { httpRequest },
    { toFeedError },
    { explainRefusal, hasSecrets, RefusedError },
    { nextLink },
    json,
    { withAccessToken },
  ] = await Promise.all([
    import('./address-guard.ts'),
    import('./http-request.ts'),
    import('./http-errors.ts'),
    import('./refusal.ts'),
    import('./next-link.ts'),
    import('./json-body.ts'),
    import('./access-token.ts'),
  ]);
  const agent = settings.agent ?? createAgent(settings);
  const send = (credentials?: Credentials) =>
    httpRequest(url, { ...common, ...personal, ...conditional, auth: credentials, agent });
  const own = isHome ? auth : undefined;
  const sent = own && 'type' in own ? withAccessToken(own, settings, url, send) : send(own);
  const response = await sent.catch((error: unknown) => {
    throw explainRefusal(error, home, settings);
  });
  return {
    location: redactUrl(url),
    url: response.url.href,
    bytes: response.body,
    toError: (error) => toFeedError(error, url),
    follow: async (next) =>
      typeof next === 'object' && 'body' in next
        ? openHttp(response.url, { ...settings, agent, body: json.setInBody(body, next.body) })
        : openPage(resolvePage(next, { is: 'http', url: response.url }), { ...settings, agent }),
    refusalOf: (error) => (error instanceof RefusedError ? error : undefined),
    status: response.status,
    isUnmodified: response.status === 304,
    contentType: response.headers['content-type'],
    contentEncoding: response.headers['content-encoding'],
    // An unframed response ends when its connection does (RFC 9112, 6.3). A compressed response has its own end.
    isFramed: ['content-length', 'transfer-encoding', 'content-encoding'].some((name) => name in response.headers),
    contentRange: response.headers['content-range'],
    age: Number(response.headers.age) || undefined,
    etag: response.headers.etag,
    lastModified: response.headers['last-modified'],
    nextPage: nextLink(response.headers.link),
    query: url.searchParams,
    sendsJson: isHome && json.isJsonObject(body),
    headers: response.headers,
    ...(!isHome && hasSecrets(settings) && { withheldFrom: url.host }),
  };
}

/** Adds the parameters that the URL does not have yet. */
function withQuery(url: URL, query: FeedSettings['query'] = {}): URL {
  const full = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    if (!url.searchParams.has(name)) full.searchParams.set(name, value);
  }
  return full;
}

function resolvePage(page: FeedPage, from: FeedLocation): FeedLocation {
  if (typeof page === 'string') return from.is === 'http' ? resolveUrl(page, from.url) : resolveFile(page, from);
  if (from.is !== 'http' || !('query' in page)) {
    throw new CodedError('FF_FEED_UNREADABLE', `${formatLocation(from)} has only one page. Remove source.pages.`);
  }
  const url = new URL(from.url);
  for (const [name, value] of Object.entries(page.query)) url.searchParams.set(name, value);
  return { is: 'http', url };
}

/** Resolves the address of a page. A page from the network may lead to the network only, never to a file on this machine. */
function resolveUrl(page: string, from: URL): FeedLocation {
  const url = URL.parse(page.replace(/^webcals?:/i, 'https:'), from.href);
  if (url !== null && /^https?:$/.test(url.protocol)) return { is: 'http', url: withoutCredentials(url) };
  throw new CodedError('FF_FEED_UNREADABLE', `The next page of ${redactUrl(from)} is not an http(s) URL.`);
}

function resolveFile(page: string, from: Exclude<FeedLocation, { is: 'http' }>): FeedLocation {
  const next = parseLocation(page);
  return next.is === 'file' && from.is === 'file' ? { ...next, path: resolve(dirname(from.path), next.path) } : next;
}
