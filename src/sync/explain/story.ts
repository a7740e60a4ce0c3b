import type { ErrorCode } from '../../core/errors.ts';
import type { Json, Payload } from '../../core/record.ts';
import type { DeliveryAttempt } from '../../ledger/history/deliveries.ts';
import type { RecordState } from '../../ledger/records/record-state.ts';
import type { Difference } from '../compare/differences.ts';

/** One record's whole story, from the source to the CMS. */
export interface Story {
  sync: string;
  key: string;
  source: SourceFinding;
  /** What the ledger knows; null: it has never heard of it. */
  record: Omit<RecordState, 'known'> | null;
  /** What the source has against what was delivered last. */
  differences: Difference[];
  verdict: RecordVerdict;
  /** What was sent for it, the newest first. */
  history: DeliveryAttempt[];
}

/** What becomes of a record: where it stands, why, and what happens to it next. */
export interface RecordVerdict {
  is: 'unread' | 'absent' | 'rejected' | 'skipped' | 'refused' | 'create' | 'update' | 'unchanged';
  why: string;
  next: string;
}

/** A record of the feed, and what mapping makes of it. Secrets are left out. */
export type FoundRecord = { at: string; fields?: { [name: string]: Json } } & (
  | { is: 'desired'; payload: Payload; files: Array<{ attribute: string; name: string }>; warnings: string[] }
  | { is: 'rejected'; code: ErrorCode; reason: string; remedy: string }
  | { is: 'skipped'; reason: string }
);

/** What the feed says of a key now. */
export interface SourceFinding {
  location: string;
  complete: boolean;
  /** Why the feed is not complete. */
  reason?: string;
  /** The feed cannot be read. */
  error?: { code: ErrorCode; reason: string };
  /** More than one where records share the key; none where the feed does not have it. */
  found: FoundRecord[];
}
