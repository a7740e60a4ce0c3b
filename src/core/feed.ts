import { sha256 } from './hash.ts';
import type { ResponseHeaders } from './paging/header-facts.ts';

/** Facts about the reading of a feed, and whether it was complete. Stored with the run. */
export interface FeedReceipt {
  /** Without credentials, so that it can be shown. */
  location: string;
  /** HTTP status, for http(s) locations. */
  status?: number;
  bytes: number;
  /** Hex SHA-256 of the bytes read. */
  sha256: string;
  etag?: string;
  lastModified?: string;
  /** How long a cache has had the response, in seconds (the Age header). */
  age?: number;
  /** The charset of the text, once the text was read. */
  charset?: string;
  /** How sure the charset is, in per cent, if it was only detected from the bytes. */
  charsetConfidence?: number;
  durationMs: number;
  /** Whether the whole feed was read; only then can a record be proven missing. */
  complete: boolean;
  /** Why the reading is not complete. */
  reason?: string;
  /** How many rows each file has, for formats that are lists; null: not known of this file. */
  rows?: ReadonlyArray<number | null>;
  /** How many files a pattern matched, if there were several. */
  files?: number;
  /** Whether the feed has several pages. */
  isPaged?: boolean;
  /** For lines: whether the last line has a line end. */
  lastLineEnded?: boolean;
  /** For lines: the place of the last record, if it was rejected. */
  lastRejected?: string;
  /** Of a sync with several sources: each of them, best first. */
  sources?: SourceReceipt[];
}

/** What was read of one of several sources. */
export interface SourceReceipt extends Omit<FeedReceipt, 'sources'> {
  source: string;
  /** Records, without repetitions. */
  records: number;
  rejected: number;
  /** The source has not changed since it was last read. */
  isUnmodified?: true;
}

/**
 * Another page of a feed: its URL or path, or query parameters, or values in the JSON body of the request, whose names may be
 * dotted paths.
 */
export type FeedPage =
  | string
  | { query: Readonly<Record<string, string>> }
  | { body: Readonly<Record<string, string | number>> };

/** The response of a server that refuses a page. */
export interface PageRefusal {
  status: number;
  /** The beginning of the body. */
  excerpt: string;
}

/** The sheet of a spreadsheet. */
export interface FeedSheet {
  name: string;
  /** Whether the config names the sheet. */
  isChosen: boolean;
  /** The number of the other sheets. */
  others: number;
}

/** An opened feed. Its content can be read once, either as bytes or as text. */
export interface Feed {
  /** Without credentials, so that it can be shown. */
  readonly location: string;
  readonly contentType?: string;
  bytes(): AsyncIterable<Uint8Array>;
  /**
   * Decoded text, in the charset of most of its lines. Bytes that cannot be decoded are marked (`text/undecodable.ts`), and
   * their records rejected after the connector has read them. NULs stay; the connectors handle them.
   */
  text(): AsyncIterable<string>;
  /** The next page according to the response: Link header with rel="next" (RFC 8288). For `follow`. */
  readonly nextPage?: string;
  /** HTTP: the address after redirects, without credentials. It may have secrets. */
  readonly url?: string;
  /** HTTP: the query of the feed's address. */
  readonly query?: URLSearchParams;
  /** HTTP: whether the request has a JSON object as its body. */
  readonly sendsJson?: boolean;
  /** HTTP: the headers of the response. */
  readonly headers?: ResponseHeaders;
  /** HTTP: the host that did not get the credentials, headers, query and body of the config, because it is not that of the feed. */
  readonly withheldFrom?: string;
  /** The sheet that is read, once the reading has begun, if the feed is a spreadsheet: its text is CSV with a line for each row. */
  sheet?(): FeedSheet | undefined;
  /**
   * Opens another page of the same source: a URL or path relative to this page, or query parameters to set on its URL. Options
   * stay the same. Configured query parameters are added unless the page names them; they and the credentials are only sent
   * while the host stays the same. The page counts in the same receipt.
   * @throws CodedError FF_FEED_…, as when a feed is opened
   */
  follow(page: FeedPage): Promise<Feed>;
  /** The same; undefined if `isEnd` returns true for the refusal of the page: then the feed has no such page. */
  follow(page: FeedPage, isEnd: (refusal: PageRefusal) => boolean): Promise<Feed | undefined>;
  /** Call it after reading to the end; before, `complete` is false. */
  receipt(): FeedReceipt;
}

/**
 * Returns one receipt for the feeds of several sources. It is complete if all of them are; otherwise it has the reasons, with the
 * names of the sources.
 */
export function joinReceipts(receipts: ReadonlyArray<FeedReceipt & { source: string }>): FeedReceipt {
  const reasons = receipts
    .filter(({ complete }) => !complete)
    .map(({ source, reason = 'the reason is unknown' }) => `${source}: ${reason}`);
  const sum = (amountOf: (receipt: FeedReceipt) => number) =>
    receipts.reduce((total, receipt) => total + amountOf(receipt), 0);
  return {
    location: receipts.map(({ location }) => location).join(', '),
    bytes: sum(({ bytes }) => bytes),
    sha256: sha256(receipts.map((receipt) => receipt.sha256).join('\n')),
    durationMs: sum(({ durationMs }) => durationMs),
    complete: reasons.length === 0 && receipts.length > 0,
    ...(reasons.length > 0 && { reason: reasons.join('; ') }),
  };
}

/** Returns the sentence about a feed that was not read completely. */
export function describeIncomplete(reason: string | undefined): string {
  return `The feed is incomplete${reason === undefined ? '.' : `: ${reason.replace(/(?<![.?!])$/, '.')}`}`;
}
