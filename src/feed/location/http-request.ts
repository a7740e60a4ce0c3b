import { Readable } from 'node:stream';
import { type Dispatcher, getSetCookies, Headers } from 'undici';
import { CodedError, TransientError } from '../../core/errors.ts';
import { repeatAfterPauses, retryAfterMs, retryDelay } from '../../core/retry.ts';
import { systemClock } from '../../core/runtime/clock.ts';
import type { FeedValidators } from '../../core/source-reading.ts';
import { decodeContent } from '../content/decompress.ts';
import { createAgent, type GuardedAgent } from './address-guard.ts';
import { toFeedError } from './http-errors.ts';
import { type Credentials, credentialsOf, redactUrl, withoutCredentials } from './location.ts';
import { RefusedError, readExcerpt, refusalMessage, withMaskedSecrets } from './refusal.ts';

const MAX_REDIRECTS = 5;
const PAUSES = { backoffMs: 750, maxBackoffMs: 30_000 };
const TRANSIENT_STATUS = [408, 425, 429, 500, 502, 503, 504];

export interface FeedRequestOptions {
  /** Headers, credentials, method and body are for the URL's own host: a redirect to another host does not get them. */
  headers?: Record<string, string>;
  auth?: Credentials;
  /** Keeps the cookies that the URL's own host sets, by their names, and returns them to it. */
  jar?: Map<string, string>;
  method?: string;
  body?: string;
  /** Makes the request conditional (RFC 9110, 13). */
  validators?: FeedValidators;
  /** Longest wait, in ms, for the connection, for the headers and between two chunks of the body. */
  timeoutMs: number;
  /** Longest wait for the whole body, in ms, without the time that the caller takes. Default five times timeoutMs. */
  totalMs?: number;
  /** Attempts after a transient failure (no connection, time-out, 408, 425, 429, 500, 502, 503, 504). Default 3. */
  retries?: number;
  allowPrivateNetwork: boolean;
  /** An agent whose connections are kept for further requests. Default: one of this request's own. */
  agent?: GuardedAgent;
  /** The Accept header. Default: the feed formats. */
  accept?: string;
  /** The Accept-Encoding header. Default: the codings that decompress.ts decodes. */
  acceptEncoding?: string;
  signal?: AbortSignal;
}

/** A response whose body is still to be read. */
export interface HttpResponse {
  /** 2xx; or 304, if validators were sent. */
  status: number;
  /** The URL after redirects, without credentials. */
  url: URL;
  /** Single header values by lower-case name. */
  headers: Record<string, string | undefined>;
  /** Leaving the loop before the end closes the connection. */
  body: AsyncIterable<Uint8Array>;
}

/**
 * Requests a URL and follows up to five redirects (RFC 9110, 15.4). Every hop passes the address guard. Transient failures
 * are retried after growing pauses.
 * @throws CodedError FF_FEED_STATUS, FF_FEED_TIMEOUT, FF_FEED_ADDRESS or FF_FEED_UNREADABLE. The body throws errors of undici.
 */
export function httpRequest(url: URL, options: FeedRequestOptions): Promise<HttpResponse> {
  const { retries = 3, signal, auth = credentialsOf(url) } = options;
  const pauseMs = (error: Error, attempts: number) =>
    error instanceof TransientError
      ? Math.min(error.retryAfterMs ?? retryDelay(attempts, PAUSES, systemClock), PAUSES.maxBackoffMs)
      : undefined;
  const rules = { retries, clock: systemClock, signal };
  return repeatAfterPauses(() => attempt(withoutCredentials(url), { ...options, auth }), pauseMs, rules);
}

async function attempt(url: URL, options: FeedRequestOptions): Promise<HttpResponse> {
  try {
    return await follow(url, options.agent ?? createAgent(options), options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw toFeedError(error, url);
  }
}

async function follow(start: URL, { agent, admit }: GuardedAgent, options: FeedRequestOptions): Promise<HttpResponse> {
  let url = start;
  let { method = 'GET', body } = options;
  let cookie: string | undefined;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const isHome = url.origin === start.origin;
    await admit(url);
    const response = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: method as Dispatcher.HttpMethod,
      headers: { ...commonHeaders(options), ...(isHome ? personalHeaders(options) : {}) },
      body,
      signal: options.signal,
      headersTimeout: options.timeoutMs,
      bodyTimeout: options.timeoutMs,
    });
    const cookies = isHome ? cookiesIn(response) : [];
    for (const { name, value } of cookies) options.jar?.set(name, value);
    const next = redirectTarget(response, url);
    if (next === undefined) return toHttpResponse(response, url, options);
    // The text of a redirect is not needed, and could take forever.
    discard(response);
    cookie ??= cookies[0]?.name;
    if (response.statusCode <= 303) [method, body] = ['GET', undefined];
    if (body !== undefined && next.origin !== start.origin) {
      const message = `${redactUrl(url)} redirects to another host. The body of the request is not sent there.`;
      throw new CodedError('FF_FEED_STATUS', message);
    }
    url = next;
  }
  const message = `${redactUrl(start)} redirects more than ${MAX_REDIRECTS} times`;
  if (cookie === undefined || options.jar) throw new CodedError('FF_FEED_STATUS', `${message}.`);
  const remedy =
    'Write `cookies: true` under `source`: feedferry then keeps the cookies of this server while it reads the feed.';
  const wall = `${message}, and sets the cookie ${cookie}: it sends the feed only to clients that keep it, as after a page about cookies.`;
  throw new CodedError('FF_FEED_STATUS', wall, { remedy });
}

/** Reads the cookies that a response sets, without their attributes: a reading is short, and they go to one host only. */
function cookiesIn({ headers }: Dispatcher.ResponseData) {
  const lines = [headers['set-cookie'] ?? []].flat();
  return getSetCookies(new Headers(lines.map((line) => ['set-cookie', line])));
}

function commonHeaders({ validators, accept, acceptEncoding }: FeedRequestOptions): Record<string, string> {
  return {
    'user-agent': 'feedferry',
    accept: accept ?? 'text/calendar, text/csv, application/json, */*;q=0.5',
    'accept-encoding': acceptEncoding ?? 'gzip, deflate, br',
    ...(validators?.etag === undefined ? {} : { 'if-none-match': validators.etag }),
    ...(validators?.lastModified === undefined ? {} : { 'if-modified-since': validators.lastModified }),
  };
}

/** Bearer token (RFC 6750), or user name and password (RFC 7617). */
function authorization(credentials: Credentials): string {
  if ('bearer' in credentials) return `Bearer ${credentials.bearer}`;
  return `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`;
}

/** Header names are lower case, so that a configured header replaces the default. */
function personalHeaders({ headers = {}, auth, body, jar }: FeedRequestOptions): Record<string, string> {
  const configured = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const contentType = /^\s*[[{]/.test(body ?? '') ? 'application/json' : 'application/x-www-form-urlencoded';
  const cookies = [configured.cookie ?? [], [...(jar ?? [])].map(([name, value]) => `${name}=${value}`)].flat();
  return {
    ...(body === undefined ? {} : { 'content-type': contentType }),
    ...(auth === undefined ? {} : { authorization: authorization(auth) }),
    ...configured,
    ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
  };
}

function redirectTarget({ statusCode, headers }: Dispatcher.ResponseData, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined;
  const location = singleValue(headers.location);
  const next = location ? URL.parse(location, from.href) : null;
  if (next === null || !/^https?:$/.test(next.protocol)) {
    throw new CodedError('FF_FEED_STATUS', `${redactUrl(from)} redirects to an address that is not an http(s) URL.`);
  }
  return withoutCredentials(next);
}

async function toHttpResponse(
  response: Dispatcher.ResponseData,
  url: URL,
  options: FeedRequestOptions,
): Promise<HttpResponse> {
  const { validators, timeoutMs, totalMs = 5 * timeoutMs } = options;
  const status = response.statusCode;
  if (status === 304 && validators) {
    await response.body.dump();
    return { status, url, headers: {}, body: Readable.from([]) };
  }
  // Several fields of one name are one list (RFC 9110, 5.3).
  const entries = Object.entries(response.headers).map(([name, value]) => [
    name.toLowerCase(),
    /^(link|www-authenticate)$/i.test(name) ? [value].flat().join(', ') : singleValue(value),
  ]);
  const headers = Object.fromEntries(entries);
  if (status < 200 || status >= 300) {
    const remedy = statusRemedy(status);
    if (!TRANSIENT_STATUS.includes(status)) {
      const said = await readExcerpt(decodeContent(response.body, headers['content-encoding']));
      const excerpt = withMaskedSecrets(said, Object.values(options.auth ?? {}));
      discard(response);
      const challenge = headers['www-authenticate'];
      throw new RefusedError(
        { status, excerpt, url, challenge },
        refusalMessage(url, status, excerpt, options),
        remedy,
      );
    }
    discard(response);
    throw new TransientError('FF_FEED_STATUS', `${redactUrl(url)} returned status ${status}.`, {
      remedy,
      retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()),
    });
  }
  return { status, url, headers, body: received(response.body, url, totalMs) };
}

/** Closes the connection of a response whose body is not read. */
function discard({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => undefined).destroy();
}

function statusRemedy(status: number): string | undefined {
  if (status === 401 || status === 403) {
    return 'Add or correct the credentials under `source`: `auth: { bearer: "${FEED_TOKEN}" }`, or `auth: { user: NAME, password: "${FEED_PASSWORD}" }`.';
  }
  if (status === 404 || status === 410)
    return 'There is nothing at this address. Correct `source.url` in the sync file.';
  if (TRANSIENT_STATUS.includes(status)) return 'The server cannot respond now. Try again later.';
  return undefined;
}

/** Yields the body within a total time. undici only limits the wait for each chunk: single bytes could arrive for years. */
async function* received(body: AsyncIterable<Uint8Array>, url: URL, totalMs: number) {
  let waitedMs = 0;
  let startedAt = performance.now();
  for await (const chunk of body) {
    waitedMs += performance.now() - startedAt;
    if (waitedMs > totalMs) {
      throw new CodedError('FF_FEED_TIMEOUT', `${redactUrl(url)} was not received within ${totalMs / 1000} s.`);
    }
    yield chunk;
    startedAt = performance.now();
  }
}

function singleValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
