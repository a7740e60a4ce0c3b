import type { FeedReceipt } from './feed.ts';
import type { Mapped, Warning } from './record.ts';

/** One reading of a sync's feed, mapped. Read `records` to the end; then receipt and warnings are final. */
export interface SourceReading {
  /**
   * Opens the feed; `unmodified` where it is as the validators say, so that there is nothing to read.
   * @throws CodedError FF_FEED_…
   */
  open(): Promise<'modified' | 'unmodified'>;
  /** Opens the feed where that has not been done. */
  records: AsyncIterable<Mapped>;
  receipt(): FeedReceipt;
  /** Of the feed as a whole. */
  warnings: Warning[];
}

/** Of an earlier answer to the same request (RFC 9110, 8.8). */
export interface FeedValidators {
  etag?: string;
  lastModified?: string;
}
