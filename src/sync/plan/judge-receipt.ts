import type { SourceConfig } from '../../config/types.ts';
import { incompleteReason, type Sign } from '../../core/completeness.ts';
import type { FeedReceipt } from '../../core/feed.ts';

/** What is known when a reading has ended without a sign that it is incomplete. */
interface EndedReading {
  receipt: FeedReceipt;
  /** Number of records that were known before, if the feed has no records now. */
  deliveredBefore: number;
  /** Whether the last record of the feed has changed. */
  hasLastChanged: boolean;
  /** Number of published records that the feed should have, and has no longer; if it has fewer rows than before. */
  lost?: number;
}

/** Judges a complete receipt again, by comparison with that of the last whole reading. */
export function judgeReceipt(
  facts: EndedReading,
  earlier: FeedReceipt | undefined,
  { ignoreSigns = [], partial }: Pick<SourceConfig, 'ignoreSigns' | 'partial'>,
): FeedReceipt {
  // A feed of changes may have any number of records.
  const ignored: readonly Sign[] = partial ? [...ignoreSigns, 'empty', 'files', 'fullPage'] : ignoreSigns;
  const reason = incompleteReason({ ...facts, earlier }, ignored);
  return { ...facts.receipt, complete: reason === undefined, reason };
}
