import type { AnyConnector, ReadContext } from '../../../src/core/connector.ts';
import { CodedError } from '../../../src/core/errors.ts';
import type { Feed } from '../../../src/core/feed.ts';
import type { Rejection, SourceRecord, Warning } from '../../../src/core/record.ts';
import type { DocumentFacts } from '../../../src/core/source-reading.ts';
import { type ByteSource, createFeed } from '../../../src/feed/content/create-feed.ts';
import { withDefaults } from '../../../src/feed/content/feed-options.ts';
import { createReceiptRecorder } from '../../../src/feed/content/receipt.ts';

export interface MemoryFeedOptions {
  contentType?: string;
  encoding?: string;
  /** Bytes a chunk: small ones put every boundary to the test. */
  chunkSize?: number;
  /** The connection breaks after the content. */
  broken?: boolean;
  acceptsHtml?: boolean;
  /** Further pages: what `follow` is given (query parameters as `a=1&b=2`) → its content. */
  pages?: Readonly<Record<string, string | Uint8Array>>;
}

/** A feed of bytes in memory, through the real unpacking, sniffing and decoding. */
export function memoryFeed(content: string | Uint8Array, options: MemoryFeedOptions = {}): Feed {
  const settings = withDefaults({ encoding: options.encoding, acceptsHtml: options.acceptsHtml });
  return createFeed(memorySource(content, options, 'memory'), settings, createReceiptRecorder('memory'));
}

function memorySource(content: string | Uint8Array, options: MemoryFeedOptions, location: string): ByteSource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    location,
    contentType: options.contentType,
    bytes: chunked(bytes, options),
    toError: (error) => new CodedError('FF_FEED_UNREADABLE', String(error)),
    follow: async (page) => {
      const name = typeof page === 'string' ? page : new URLSearchParams('query' in page ? page.query : {}).toString();
      const next = options.pages?.[name];
      if (next === undefined) throw new CodedError('FF_FEED_MISSING', `There is no page ${name}.`);
      return memorySource(next, options, name);
    },
  };
}

async function* chunked(bytes: Uint8Array, { chunkSize = 65_536, broken }: MemoryFeedOptions) {
  for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  if (broken) throw new Error('connection reset');
}

export interface ReadResult {
  records: SourceRecord[];
  rejections: Rejection[];
  warnings: Warning[];
  incomplete: string[];
  facts: DocumentFacts;
  /** The error that refused the feed. */
  error?: CodedError;
  feed: Feed;
}

export interface ReadOptions extends MemoryFeedOptions {
  options?: unknown;
  timezone?: string;
  siteTimezone?: string;
  window?: { from?: string; to?: string };
  mappedFields?: string[];
  includesWithdrawn?: boolean;
}

/** Reads a feed with a connector and collects all results; only a CodedError is caught. */
export async function readFeed(
  connector: AnyConnector,
  content: string | Uint8Array,
  options: ReadOptions = {},
): Promise<ReadResult> {
  const feed = memoryFeed(content, { acceptsHtml: connector.acceptsHtml, ...options });
  const result: ReadResult = { records: [], rejections: [], warnings: [], incomplete: [], facts: {}, feed };
  const context: ReadContext = {
    timezone: options.timezone ?? 'America/New_York',
    siteTimezone: options.siteTimezone ?? 'America/New_York',
    ...(options.window ? { window: options.window } : {}),
    mappedFields: new Set(options.mappedFields ?? []),
    ...(options.includesWithdrawn && { includesWithdrawn: true }),
    reject: (rejection) => result.rejections.push(rejection),
    warn: (warning) => result.warnings.push(warning),
    report: (facts) => Object.assign(result.facts, facts),
    incomplete: (reason) => result.incomplete.push(reason),
  };
  try {
    const parsed = connector.options.parse(options.options ?? {});
    for await (const record of connector.read(feed, parsed, context)) result.records.push(record);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    result.error = error;
  }
  return result;
}
