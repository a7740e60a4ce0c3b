import type { z } from 'zod';
import type { Feed } from './feed.ts';
import type { Rejection, SourceRecord, Warning } from './record.ts';

/** What a connector gets besides the feed and its options. */
export interface ReadContext {
  /** IANA zone for wall times of the feed that name none. */
  timezone: string;
  /** IANA zone of the site: the window's days are days there. */
  siteTimezone: string;
  /** The days that are of interest: ISO dates, inclusive; an end that is absent is open. */
  window?: { from?: string; to?: string };
  /** Field names that the sync maps; a connector that knows its columns refuses where one is missing. */
  mappedFields: ReadonlySet<string>;
  /** Sets one record aside; reading goes on. */
  reject(rejection: Rejection): void;
  warn(warning: Warning): void;
  /** Says that part of the feed could not be read: nothing can be proven missing by this read. */
  incomplete(reason: string): void;
  signal?: AbortSignal;
}

/** A feed format: turns a feed's bytes into source records, streaming. */
export interface Connector<Options> {
  kind: string;
  /** Validates the keys of `source` that are the connector's own (all but connector, url, timezone). */
  options: z.ZodType<Options>;
  /** The map used where the sync file has none; absent: fields named like attributes map by name. */
  defaultMap?: Record<string, string>;
  /** Whether it reads web pages too; for others, they are a login or error page in the place of the feed. */
  acceptsHtml?: boolean;
  /**
   * Yields the records of a feed in its order.
   * @throws CodedError when the feed as a whole is not what the connector reads (the run is refused).
   */
  read(feed: Feed, options: Options, context: ReadContext): AsyncIterable<SourceRecord>;
}

/** A connector whose options type is known only to itself. */
export interface AnyConnector {
  kind: string;
  options: z.ZodType;
  defaultMap?: Record<string, string>;
  acceptsHtml?: boolean;
  read(feed: Feed, options: unknown, context: ReadContext): AsyncIterable<SourceRecord>;
}

/** Declares a connector: options and reader checked against each other, then usable in the list of all connectors. */
export function defineConnector<Options>(connector: Connector<Options>): AnyConnector {
  return {
    ...connector,
    read: (feed, options, context) => connector.read(feed, connector.options.parse(options), context),
  };
}
