import type { FeedReceipt } from './feed.ts';
import type { Mapped, Warning } from './record.ts';

/** One reading of a sync's feed, mapped. Receipt and warnings are final once `records` was read to the end. */
export interface SourceReading {
  /**
   * Opens the feed; `unmodified` if it has not changed since the validators, so there is nothing to read.
   * @throws CodedError FF_FEED_…
   */
  open(): Promise<'modified' | 'unmodified'>;
  /** Opens the feed if it is not open yet. */
  records: AsyncIterable<Mapped>;
  receipt(): FeedReceipt;
  /** Warnings about the feed as a whole. */
  warnings: Warning[];
}

/** The validators of an earlier response to the same request (RFC 9110, 8.8). */
export type FeedValidators = Pick<FeedReceipt, 'etag' | 'lastModified'>;
