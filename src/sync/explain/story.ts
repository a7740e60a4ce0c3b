import type { ErrorCode } from '../../core/errors.ts';
import type { Json, Payload } from '../../core/record.ts';
import type { DeliveryAttempt } from '../../ledger/history/deliveries.ts';
import type { RecordState } from '../../ledger/records/record-state.ts';
import type { Difference } from '../compare/differences.ts';

/** The history of one record, from the source to the CMS. */
export interface Story {
  sync: string;
  key: string;
  source: SourceFinding;
  /** What the ledger knows; null: it does not know the record. */
  record: Omit<RecordState, 'known'> | null;
  /** Differences between the source and the last delivery. */
  differences: Difference[];
  verdict: RecordVerdict;
  /** Attempts to deliver it, newest first. */
  history: DeliveryAttempt[];
}

/** The state of a record, the reason for it, and what happens next. */
export interface RecordVerdict {
  is: 'unread' | 'absent' | 'rejected' | 'skipped' | 'refused' | 'create' | 'update' | 'unchanged';
  why: string;
  next: string;
}

/** A record of the feed and its mapping. Secrets are left out. */
export type FoundRecord = { at: string; fields?: { [name: string]: Json } } & (
  | { is: 'desired'; payload: Payload; files: Array<{ attribute: string; name: string }>; warnings: string[] }
  | { is: 'rejected'; code: ErrorCode; reason: string; remedy: string }
  | { is: 'skipped'; reason: string }
);

/** What the feed has for a key now. */
export interface SourceFinding {
  location: string;
  complete: boolean;
  /** Why the feed is not complete. */
  reason?: string;
  /** The feed cannot be read. */
  error?: { code: ErrorCode; reason: string };
  /** More than one if records share the key; none if the feed does not have it. */
  found: FoundRecord[];
}
