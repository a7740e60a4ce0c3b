import { replaceMarks } from '../core/charset/undecodable.ts';
import { CodedError } from '../core/errors.ts';
import type { Feed } from '../core/feed.ts';
import type { Warning } from '../core/record.ts';
import { decodeText } from './content/charset.ts';
import type { FeedOptions } from './content/feed-options.ts';
import { parseFeedLocation } from './location/location.ts';
import { PrivateAddressError } from './location/private-address.ts';
import { readFeeds } from './open.ts';

/** The beginning of a feed, in memory: can be read several times, and in any format. */
export interface FeedBeginning {
  /** Without credentials, so that it can be shown. */
  location: string;
  /** The address after redirects. */
  url?: string | undefined;
  text: string;
  /** The charset of the text, if it was only detected from the bytes. */
  detectedCharset?: string;
  /** Lines that are not in the charset of the text. */
  warnings: readonly string[];
  /** Whether this is the whole feed; of several pages or files, the whole first one. */
  isWhole: boolean;
  /** Whether the address of the feed is in a private network. */
  isPrivate?: true;
  /** Returns the beginning as a feed for a connector. Further pages are read from their source. */
  asFeed(): Feed;
  /** Returns the same bytes, decoded with another charset. @throws CodedError FF_FEED_CHARSET if it is unknown */
  decodedAs(encoding: string): Promise<FeedBeginning>;
}

/** Decides whether a given address in a private network is opened. */
export type ConfirmPrivate = (host: string, address: string) => Promise<boolean>;

/**
 * Reads the beginning of a feed, or of the first file of a pattern. Web pages are accepted, and so is an address in a private
 * network that is confirmed, unless a public one redirects to it.
 * @throws CodedError FF_FEED_…, as when a feed is opened
 */
export async function readBeginning(
  location: string,
  options: FeedOptions,
  maxBytes: number,
  confirmPrivate: ConfirmPrivate = async () => true,
): Promise<FeedBeginning> {
  try {
    return await readFirst(location, options, maxBytes);
  } catch (error) {
    const start = parseFeedLocation(location);
    const host = start.is === 'http' ? start.url.hostname.replace(/^\[|\]$/g, '') : undefined;
    const isGiven = error instanceof PrivateAddressError && error.host === host;
    if (!isGiven || options.allowPrivateNetwork || !(await confirmPrivate(error.host, error.address))) throw error;
    const beginning = await readFirst(location, { ...options, allowPrivateNetwork: true }, maxBytes);
    return { ...beginning, isPrivate: true };
  }
}

async function readFirst(location: string, options: FeedOptions, maxBytes: number): Promise<FeedBeginning> {
  const { value: feed } = await readFeeds(location, { ...options, acceptsHtml: true })
    .feeds()
    .next();
  if (!feed) throw new CodedError('FF_FEED_MISSING', `${location} has no feed.`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of feed.bytes()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  const bytes = Buffer.concat(chunks);
  const isWhole = length < maxBytes && feed.receipt().complete;
  return beginningOf(bytes, feed, isWhole);
}

async function beginningOf(bytes: Buffer, feed: Feed, isWhole: boolean, encoding?: string): Promise<FeedBeginning> {
  const { text, detectedCharset, warnings } = await decode(bytes, feed, isWhole, encoding);
  const { nextPage, query, sendsJson, headers, withheldFrom, sheet, follow, receipt } = feed;
  const contentType =
    encoding === undefined
      ? feed.contentType
      : `${feed.contentType?.split(';')[0] ?? 'text/plain'}; charset=${encoding}`;
  const asFeed = (): Feed => ({
    location: feed.location,
    contentType,
    nextPage,
    query,
    sendsJson,
    headers,
    withheldFrom,
    sheet,
    bytes: () => once(bytes),
    text: () => once(text),
    follow,
    receipt: () => ({ ...receipt(), complete: isWhole }),
  });
  const decodedAs = (other: string) => beginningOf(bytes, feed, isWhole, other);
  return { location: feed.location, url: feed.url, text, detectedCharset, warnings, isWhole, asFeed, decodedAs };
}

async function decode(bytes: Buffer, { location, contentType }: Feed, isWhole: boolean, encoding?: string) {
  let detectedCharset: string | undefined;
  const warnings: string[] = [];
  const onCharset = (charset: string, confidence?: number) => {
    detectedCharset = confidence === undefined ? undefined : charset;
  };
  let text = '';
  const warn = ({ at, message }: Warning) => warnings.push(`${at}: ${message}`);
  const reports = { isCutOff: () => !isWhole, onCharset, warn, onMark: () => {} };
  const parts = decodeText(once(bytes), { location, contentType, ...(encoding && { encoding }), ...reports });
  for await (const part of parts) text += replaceMarks(part, () => '\uFFFD');
  return { text, detectedCharset, warnings };
}

async function* once<Item>(item: Item): AsyncGenerator<Item> {
  yield item;
}
