import { type Agent, type Dispatcher, errors, request } from 'undici';
import { CodedError, type ErrorCode } from '../core/errors.ts';
import { createAgent } from './address-guard.ts';
import { redactUrl } from './location.ts';

const MAX_REDIRECTS = 5;
const USER_AGENT = 'feedferry';

export interface HttpOptions {
  /** Sent to the host of the location only, never to one that it redirects to. */
  headers?: Record<string, string>;
  /** Longest wait, in ms, for the connection, for the headers and between two pieces of the body. */
  timeoutMs: number;
  allowPrivateNetwork: boolean;
  /** The Accept header; default: the feed formats. */
  accept?: string;
  /** The Accept-Encoding header; default: what decompress.ts undoes. */
  acceptEncoding?: string;
  signal?: AbortSignal;
}

/** An answered GET whose body is still to be read. */
export interface HttpResponse {
  status: number;
  /** Single header values by lower-case name. */
  headers: Record<string, string | undefined>;
  /** Reading it to the end, or leaving the loop, closes the connection. */
  body: AsyncIterable<Uint8Array>;
}

/**
 * GETs an address, following up to five redirects (RFC 9110, 15.4); every hop passes the address guard.
 * @throws CodedError FF_FEED_STATUS, FF_FEED_TIMEOUT, FF_FEED_ADDRESS, FF_FEED_UNREADABLE. The body throws what undici throws.
 */
export async function httpGet(url: URL, options: HttpOptions): Promise<HttpResponse> {
  const agent = createAgent(options);
  try {
    return await follow(withoutUserInfo(url), ownHeaders(url, options.headers), agent, options);
  } catch (error) {
    await agent.destroy();
    throw toFeedError(error, url);
  }
}

/** What undici throws, in feedferry's terms; the message never shows more of the address than `redactUrl` does. */
export function toFeedError(error: unknown, url: URL): CodedError {
  const coded = codedCause(error);
  if (coded) return coded;
  const timedOut =
    error instanceof errors.ConnectTimeoutError ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError;
  const code: ErrorCode = timedOut ? 'FF_FEED_TIMEOUT' : 'FF_FEED_UNREADABLE';
  return new CodedError(code, `${redactUrl(url)} could not be read: ${reasonOf(error)}.`, { cause: error });
}

/** A short reason for people; undici's own messages do not quote the address. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

async function follow(
  start: URL,
  headers: Record<string, string>,
  agent: Agent,
  options: HttpOptions,
): Promise<HttpResponse> {
  let url = start;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await request(url, {
      dispatcher: agent,
      headers: { ...commonHeaders(options), ...(url.origin === start.origin ? headers : {}) },
      signal: options.signal,
    });
    const next = redirectTarget(response, url);
    if (next === undefined) return answer(response, url, agent);
    await response.body.dump();
    url = next;
  }
  throw new CodedError('FF_FEED_STATUS', `${redactUrl(start)} redirects more than ${MAX_REDIRECTS} times.`);
}

function commonHeaders(options: HttpOptions): Record<string, string> {
  return {
    'user-agent': USER_AGENT,
    accept: options.accept ?? 'text/calendar, text/csv, application/json, */*;q=0.5',
    'accept-encoding': options.acceptEncoding ?? 'gzip, deflate, br',
  };
}

function redirectTarget(response: Dispatcher.ResponseData, from: URL): URL | undefined {
  if (![301, 302, 303, 307, 308].includes(response.statusCode)) return undefined;
  const location = singleValue(response.headers.location);
  const next = location ? URL.parse(location, from.href) : null;
  if (next === null || (next.protocol !== 'http:' && next.protocol !== 'https:')) {
    throw new CodedError('FF_FEED_STATUS', `${redactUrl(from)} redirects to an address that cannot be followed.`);
  }
  return withoutUserInfo(next);
}

function answer(response: Dispatcher.ResponseData, url: URL, agent: Agent): HttpResponse {
  const status = response.statusCode;
  if (status < 200 || status >= 300) {
    throw new CodedError('FF_FEED_STATUS', `${redactUrl(url)} answered with status ${status}.`);
  }
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), singleValue(value)]),
  );
  return { status, headers, body: closing(response.body, agent) };
}

async function* closing(body: AsyncIterable<Uint8Array>, agent: Agent): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    await agent.destroy();
  }
}

function ownHeaders(url: URL, headers: Record<string, string> = {}): Record<string, string> {
  const lowerCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (url.username === '' && url.password === '') return lowerCase;
  const credentials = `${unescaped(url.username)}:${unescaped(url.password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}`, ...lowerCase };
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function withoutUserInfo(url: URL): URL {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain;
}

function singleValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function codedCause(error: unknown): CodedError | undefined {
  if (error instanceof CodedError) return error;
  if (error instanceof AggregateError) return error.errors.map(codedCause).find((cause) => cause !== undefined);
  return error instanceof Error && error.cause !== undefined ? codedCause(error.cause) : undefined;
}
