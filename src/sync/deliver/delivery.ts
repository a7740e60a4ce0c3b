import type { Outcome } from '../../core/outcome.ts';
import type { Payload } from '../../core/record.ts';
import type { Sent } from '../../ledger/history/deliveries.ts';
import type { EditorState } from '../../ledger/records/editor-state.ts';

/** What delivering a record came to, and what the CMS has of it now. */
export interface Delivery {
  outcome: Outcome;
  delivered: Payload;
  fingerprints: Record<string, string>;
  editorState: EditorState;
  /** The request that wrote the record, whatever came of it. */
  sent?: Sent;
  uploads: number;
  /** The record went without a file that could not be read. */
  incomplete: boolean;
  /** A create was sent of which nobody knows whether it was applied. */
  createUnconfirmed: boolean;
}

/** What has happened so far, written down as it happens: the outcome may be an error at any step. */
export type DeliverySoFar = Omit<Delivery, 'outcome'>;
