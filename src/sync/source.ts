import type { FeedReceipt } from '../core/feed.ts';
import type { Mapped, Warning } from '../core/record.ts';

/** One reading of a sync's feed, mapped. Read `records` to the end; then receipt and warnings are final. */
export interface SourceReading {
  records: AsyncIterable<Mapped>;
  receipt(): FeedReceipt;
  /** Of the feed as a whole. */
  warnings: Warning[];
}
