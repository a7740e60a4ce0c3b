import type { z } from 'zod';
import { CodedError } from './errors.ts';
import type { Feed } from './feed.ts';
import type { Rejection, SourceRecord, Warning } from './record.ts';
import type { DocumentFacts } from './source-reading.ts';

/** A feed lacks fields that its sync names. */
export class MissingFieldsError extends CodedError {
  readonly missing: readonly string[];
  /** The fields that the feed has. */
  readonly names: readonly string[];

  constructor(message: string, { missing, names }: { missing: readonly string[]; names: readonly string[] }) {
    super('FF_FEED_COLUMNS', message);
    this.missing = missing;
    this.names = names;
  }
}

/** The input of a connector besides the feed and its options. */
export interface ReadContext {
  /** IANA zone for wall times of the feed without a zone. */
  timezone: string;
  /** IANA zone of the site, to which the days of the window refer. */
  siteTimezone: string;
  /** The days of interest: ISO dates, inclusive; an absent end is open. */
  window?: { from?: string; to?: string };
  /** Field names that the sync maps. A connector that knows its columns throws if one of these is missing. */
  mappedFields: ReadonlySet<string>;
  /** Whether to yield records that the source has cancelled or made private, too (`withdrawn`). */
  includesWithdrawn?: boolean;
  /** Sets one record aside; the read continues. */
  reject(rejection: Rejection): void;
  warn(warning: Warning): void;
  /** Reports that part of the feed could not be read. `completeness.ts` judges it, with all other signs. */
  incomplete(reason: string): void;
  /** Reports facts about the end of the feed. A later report replaces the facts that it names. */
  report(facts: DocumentFacts): void;
}

/** A feed format: turns a feed's bytes into source records, streaming. */
export interface Connector<Options> {
  kind: string;
  /** Validates the connector's own keys of `source`. */
  options: z.ZodType<Options>;
  /** The map for sync files without one; absent: fields map to the attributes of the same name. */
  defaultMap?: Record<string, string>;
  /** Field with a picture → field with its caption, for files without an `alt`. */
  captions?: Readonly<Record<string, string>>;
  /** The field that identifies a record, for sync files without a `key`. */
  defaultKey?: string;
  /** Fields of the format itself. A preview never lists these as unused by the map. */
  ownFields?: RegExp;
  /** Whether a field of a record is HTML by the rules of the format. Other texts are HTML if they have elements of HTML. */
  isHtmlField?(field: string, fields: SourceRecord['fields']): boolean;
  /** Whether the format says which records are cancelled or private (`withdrawn`). */
  withdraws?: boolean;
  /** Whether the connector also reads web pages; for others, a web page is a login or error page instead of the feed. */
  acceptsHtml?: boolean;
  /**
   * Yields the records of a feed in its order. Imports the parser of the format only here, because most commands read no feed.
   * @throws CodedError if the feed as a whole is not in the connector's format
   */
  read(feed: Feed, options: Options, context: ReadContext): AsyncIterable<SourceRecord>;
}

/** A connector whose options have a type that is unknown to the caller. */
export type AnyConnector = Connector<unknown>;

/** Declares a connector: `read` gets the options as the connector's schema returns them. */
export function defineConnector<Options>(connector: Connector<Options>): AnyConnector {
  return {
    ...connector,
    read: (feed, options, context) => connector.read(feed, connector.options.parse(options), context),
  };
}
