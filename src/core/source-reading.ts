import type { FeedReceipt } from './feed.ts';
import type { Mapped, Payload, SourceRecord, Warning } from './record.ts';

/** A record that was read, and is mapped only if necessary. */
export interface ReadRecord extends SourceRecord {
  /** Absent: the record has no key, and is rejected. */
  key?: string;
  /** Hash of everything that decides the result of the mapping, except the window; absent: other things may decide it, too. */
  sourceHash?: string;
  /** Whether the days of an event, as the record was mapped before, are in the window. */
  isInWindow(days: Pick<Payload, 'date' | 'endDate'>): boolean;
  map(): Mapped | Promise<Mapped>;
}

/** One reading of a sync's feed. Receipt and warnings are final once all records were read, and mapped if necessary. */
export interface SourceReading {
  /**
   * Opens the feed; `unmodified` if it has not changed since the validators, so there is nothing to read.
   * @throws CodedError FF_FEED_…
   */
  open(): Promise<'modified' | 'unmodified'>;
  /** Opens the feed if it is not open yet. Iterate once, either over this or over `records`. */
  unmappedRecords: AsyncIterable<ReadRecord>;
  /** The records, mapped. */
  records: AsyncIterable<Mapped>;
  receipt(): FeedReceipt;
  /** Whether the feed may say that records are cancelled or private. */
  withdraws?: boolean;
  /** Warnings about the feed as a whole. */
  warnings: Warning[];
  /** The names of the fields, the first 1,000. */
  fields: ReadonlySet<string>;
  /** Fields that have a value but are not used by the sync, each with its first value. */
  unmapped: ReadonlyMap<string, unknown>;
  /** Says of each attribute that the site shows as HTML how many texts have HTML, and what happens to them. */
  describeHtml(): string[];
  /** Says which fields of the sync file the feed does not have; nothing if it has all of them, or no records. */
  describeMissing(): string[];
  /** Of a reading of several sources as one. */
  merged?: {
    /** Whether absent records are proven to be absent, whatever the receipt says of the sources. */
    isWhole: boolean;
    /** Source → how many of the records that it published are now published by another one, because it no longer has them. */
    leaving: ReadonlyMap<string, number>;
    /** Key of a record that may be a known one, to which its source has given a new key → key of that one. */
    asked: ReadonlyMap<string, string>;
  };
  /** Of a reading in which events span days, or no longer do. */
  spans?: {
    /** Key of a record → key of the one whose item it takes over: an event that of one of its days, or the other way round. */
    takenOver: ReadonlyMap<string, string>;
    /** What happens to items of the site that a person has to agree to. */
    replacements: readonly Replacement[];
    /** Key of a record that is not published as such → why. */
    replaced: ReadonlyMap<string, string>;
  };
}

/**
 * Records of the site in whose place others are published. `deletes`: the keys of those whose items are deleted; `by`: key of the event that
 * replaces them, if it is one.
 */
export interface Replacement {
  message: string;
  by?: string;
  deletes: readonly string[];
}

/** Evidence that a feed is unchanged: validators of an earlier response (RFC 9110, 8.8), or the hash of a file. */
export type FeedValidators = Partial<Pick<FeedReceipt, 'etag' | 'lastModified' | 'sha256'>>;

/** How one page or file was transferred. */
export interface PartFacts {
  /** For messages. */
  location: string;
  /** HTTP status. */
  status?: number;
  /** The Content-Range header. */
  contentRange?: string;
  /** HTTP: whether the response shows its own end, by a length, chunks or compression. */
  isFramed?: boolean;
  /** Whether the part was read to its end. */
  ended: boolean;
  /** Why the bytes of the part ended early. */
  brokeOff?: string;
}

/** What a connector learns about the end of a feed. */
export interface DocumentFacts {
  /** Whether the format marks its own end, as a closing bracket does. Lines do not. */
  endsItself?: boolean;
  /** For lines: whether the last line has a line end. */
  lastLineEnded?: boolean;
  /** For lines: the place of the last record, if it was rejected. */
  lastRejected?: string;
  /** Items read, on all pages. */
  items?: number;
  /** Each number of items that a page declared. */
  totals?: readonly number[];
  /** The declaration of the last of them, as written: `hits.total.value: 57`. */
  totalAt?: string;
  /** Number of pages read, and the number of pages that the last of them declared. */
  pages?: { read: number; declared: number };
  /** The announcement of more items after the last page, such as `truncated: true`. */
  more?: string;
  /** The report of an error beside the items, as written: `errors.0.message: Timeout`. */
  error?: string;
  /** Whether the page may be only the first: it has as many items as a full page, and does not declare that it is the last. */
  fullPage?: boolean;
  /** The line of the sync file that reads the pages after the first: `pages: { by: link }`. */
  pagesLine?: string;
}

/** Everything that shows whether a feed was read whole. Unknown facts are absent. */
export interface FeedFacts {
  /** Why a page or file could not be opened. */
  failure?: string;
  parts?: readonly PartFacts[];
  /** Parts that a connector could not read. */
  gaps?: readonly string[];
  /** One for each file. */
  documents?: readonly DocumentFacts[];
  receipt?: FeedReceipt;
  /** Receipt of the last whole reading, if it is at most seven days old. */
  earlier?: FeedReceipt;
  /** Whether the last record differs from what the ledger has. */
  hasLastChanged?: boolean;
  /** Number of records that were delivered before, if the feed has no records now. */
  deliveredBefore?: number;
  /** Number of published records that the feed should have, and has no longer. */
  lost?: number;
}

/** Facts that show whether a record that was not read is really absent from the feed. */
export interface RecordFacts {
  read: number;
  rejected: number;
  /** Rejected records without a readable key. */
  unnamed: number;
  /** Records that share their key: rejected ones, and repetitions. */
  duplicates: number;
  receipt: FeedReceipt;
}

/** Maps the records of a reading. */
export async function* mapAll(records: AsyncIterable<ReadRecord>): AsyncGenerator<Mapped> {
  for await (const record of records) yield record.map();
}
