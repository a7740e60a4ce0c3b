import { Readable } from 'node:stream';
import { type Agent, type Dispatcher, request } from 'undici';
import { CodedError } from '../../core/errors.ts';
import { createAgent } from './address-guard.ts';
import { authorization, type Credentials, credentialsOf, withoutCredentials } from './credentials.ts';
import { toFeedError } from './http-errors.ts';
import { redactUrl } from './location.ts';
import { feedPauseMs, retryTransient, TransientError } from './retry.ts';

const MAX_REDIRECTS = 5;
const USER_AGENT = 'feedferry';
const DEFAULT_RETRIES = 3;
const TRANSIENT_STATUS = [408, 425, 429, 500, 502, 503, 504];
/** Of an earlier answer: for a conditional request (RFC 9110, 13.1). */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

/** What is meant for the source's own host only; another host that it redirects to gets none of it. */
export interface Personal {
  headers?: Record<string, string>;
  auth?: Credentials;
  method?: string;
  body?: string;
}

export interface FeedRequestOptions extends Personal {
  /** Makes the request conditional. */
  validators?: Validators;
  /** Longest wait, in ms, for the connection, for the headers and between two pieces of the body. */
  timeoutMs: number;
  /** How often a transient failure (no connection, time-out, 408, 425, 429, 500, 502, 503, 504) is tried again. Default 3. */
  retries?: number;
  allowPrivateNetwork: boolean;
  /** The Accept header; default: the feed formats. */
  accept?: string;
  /** The Accept-Encoding header; default: what decompress.ts undoes. */
  acceptEncoding?: string;
  signal?: AbortSignal;
}

/** An answer whose body is still to be read. */
export interface HttpResponse {
  /** 2xx, or 304 where validators were sent. */
  status: number;
  /** Where it came from, after redirects; without credentials. */
  url: URL;
  /** Single header values by lower-case name. */
  headers: Record<string, string | undefined>;
  /** Reading it to the end, or leaving the loop, closes the connection. */
  body: AsyncIterable<Uint8Array>;
}

/**
 * Requests an address, following up to five redirects (RFC 9110, 15.4); every hop passes the address guard.
 * @throws CodedError FF_FEED_STATUS, FF_FEED_TIMEOUT, FF_FEED_ADDRESS, FF_FEED_UNREADABLE. The body throws what undici throws.
 */
export function httpRequest(url: URL, options: FeedRequestOptions): Promise<HttpResponse> {
  const { retries = DEFAULT_RETRIES, signal } = options;
  const auth = options.auth ?? credentialsOf(url);
  return retryTransient(() => attempt(withoutCredentials(url), { ...options, auth }), { retries, signal });
}

async function attempt(url: URL, options: FeedRequestOptions): Promise<HttpResponse> {
  const agent = createAgent(options);
  try {
    return await follow(url, agent, options);
  } catch (error) {
    await agent.destroy();
    options.signal?.throwIfAborted();
    throw toFeedError(error, url);
  }
}

async function follow(start: URL, agent: Agent, options: FeedRequestOptions): Promise<HttpResponse> {
  let url = start;
  let { method = 'GET', body } = options;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const isHome = url.origin === start.origin;
    const response = await request(url, {
      dispatcher: agent,
      method: method as Dispatcher.HttpMethod,
      headers: { ...commonHeaders(options), ...(isHome ? personalHeaders(options) : {}) },
      ...(body === undefined ? {} : { body }),
      signal: options.signal,
    });
    const next = redirectTarget(response, url);
    if (response.statusCode === 304 && options.validators) return unmodified(response, url, agent);
    if (next === undefined) return answer(response, url, agent);
    await response.body.dump();
    if (response.statusCode <= 303) [method, body] = ['GET', undefined];
    if (body !== undefined && next.origin !== start.origin) {
      throw new CodedError(
        'FF_FEED_STATUS',
        `${redactUrl(url)} redirects to another host, which must not get the body.`,
      );
    }
    url = next;
  }
  throw new CodedError('FF_FEED_STATUS', `${redactUrl(start)} redirects more than ${MAX_REDIRECTS} times.`);
}

function commonHeaders(options: FeedRequestOptions): Record<string, string> {
  const { etag, lastModified } = options.validators ?? {};
  return {
    'user-agent': USER_AGENT,
    accept: options.accept ?? 'text/calendar, text/csv, application/json, */*;q=0.5',
    'accept-encoding': options.acceptEncoding ?? 'gzip, deflate, br',
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(lastModified === undefined ? {} : { 'if-modified-since': lastModified }),
  };
}

function redirectTarget(response: Dispatcher.ResponseData, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(response.statusCode)) return undefined;
  const location = singleValue(response.headers.location);
  const next = location ? URL.parse(location, from.href) : null;
  if (next === null || (next.protocol !== 'http:' && next.protocol !== 'https:')) {
    throw new CodedError('FF_FEED_STATUS', `${redactUrl(from)} redirects to an address that cannot be followed.`);
  }
  return withoutCredentials(next);
}

async function unmodified(response: Dispatcher.ResponseData, url: URL, agent: Agent): Promise<HttpResponse> {
  await response.body.dump();
  await agent.destroy();
  return { status: 304, url, headers: {}, body: Readable.from([]) };
}

function answer(response: Dispatcher.ResponseData, url: URL, agent: Agent): HttpResponse {
  const status = response.statusCode;
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), singleValue(value)]),
  );
  if (status < 200 || status >= 300) {
    const message = `${redactUrl(url)} answered with status ${status}.`;
    if (!TRANSIENT_STATUS.includes(status)) throw new CodedError('FF_FEED_STATUS', message);
    throw new TransientError('FF_FEED_STATUS', message, { retryAfterMs: feedPauseMs(headers['retry-after']) });
  }
  return { status, url, headers, body: closing(response.body, agent) };
}

async function* closing(body: AsyncIterable<Uint8Array>, agent: Agent): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    await agent.destroy();
  }
}

/** Header names in lower case, so that a configured one takes the place of ours. */
function personalHeaders({ headers = {}, auth, body }: Personal): Record<string, string> {
  const configured = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    ...(body === undefined ? {} : { 'content-type': contentTypeOf(body) }),
    ...(auth === undefined ? {} : { authorization: authorization(auth) }),
    ...configured,
  };
}

function contentTypeOf(body: string): string {
  return /^\s*[[{]/.test(body) ? 'application/json' : 'application/x-www-form-urlencoded';
}

function singleValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
